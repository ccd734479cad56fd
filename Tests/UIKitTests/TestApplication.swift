import DesktopBus
import Foundation
import NotificationModel
import NotificationRuntime
import TestSupport
import UIKit
import UserNotifications

/// An application for one test, with private buses, a manual clock and a recorded end.
@MainActor
final class TestApplication {
    let session: PrivateBus
    let system: PrivateBus
    let application: UIApplication
    let delegate = RecordingDelegate()
    /// The statuses with which the process would have ended.
    let ends = Recording<Int32>()
    /// The timers, each with its delay and its work.
    let timers = Recording<(wait: Duration, work: @Sendable () -> Void)>()
    let clock = ManualInstant()
    let center: UNUserNotificationCenter

    /// Makes an application; `variables` replace variables of the session bus.
    ///
    /// Without `center`, the application has a notification centre that reaches no service.
    init(
        _ variables: [String: String] = [:], center: UNUserNotificationCenter? = nil,
        isLaunchedForNotification: Bool = false
    ) throws {
        session = try PrivateBus()
        system = try PrivateBus()
        var environment = session.environment
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = system.address.rawValue
        environment.merge(variables) { $1 }
        let configuration = Configuration(
            environment: environment, executable: "/usr/bin/test-app", directory: "/",
            userID: geteuid(), machineID: "test")
        let center =
            center
            ?? UNUserNotificationCenter(
                source: ServiceSource(
                    application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                    service: { () async throws(NotificationError) in
                        throw NotificationError(.noBus, "No session bus. Start one.")
                    }))
        self.center = center
        var surroundings = ApplicationSurroundings(
            desktop: AppDesktop(configuration: configuration)
        ) { center }
        surroundings.now = { [clock] in clock.value }
        surroundings.timers = DelayedWork { [timers] in timers.append(($0, $1)) }
        surroundings.endProcess = { [ends] in ends.append($0) }
        surroundings.isLaunchedForNotification = isLaunchedForNotification
        application = UIApplication.make(in: surroundings)
        application.delegate = delegate
    }

    /// Launches the app; the scripted logind and lockers must already run.
    func launch() {
        application.launch()
    }
}

/// A delegate that records each call with the app's state.
@MainActor
final class RecordingDelegate: UIResponder, UIApplicationDelegate {
    let heard = Recording<String>()
    let errors = Recording<String>()
    let tokens = Recording<Data>()
    /// The number of keys in each remote notification.
    let messages = Recording<Int>()
    var onResign: (@MainActor () -> Void)?

    private func record(_ event: String, _ application: UIApplication) {
        heard.append("\(event) \(application.applicationState)")
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        record("willFinish", application)
        return true
    }

    func applicationDidFinishLaunching(_ application: UIApplication) {
        record("didFinish", application)
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        record("didBecomeActive", application)
    }

    func applicationWillResignActive(_ application: UIApplication) {
        record("willResignActive", application)
        onResign?()
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        record("didEnterBackground", application)
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        record("willEnterForeground", application)
    }

    func applicationWillTerminate(_ application: UIApplication) {
        record("willTerminate", application)
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        tokens.append(deviceToken)
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        errors.append(error.localizedDescription)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        messages.append(userInfo.count)
        completionHandler(.noData)
    }
}

/// A delegate with the `async` form of each method that has one.
@MainActor
final class AsyncDelegate: UIResponder, UIApplicationDelegate {
    let heard = Recording<String>()

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        heard.append("token")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        heard.append("message \(userInfo["feed"] ?? "-")")
        return .newData
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        heard.append("perform \(shortcutItem.type)")
        return true
    }
}

/// A delegate with `@Sendable` handlers, which it calls on another thread.
@MainActor
final class SendableDelegate: UIResponder, UIApplicationDelegate, UIWindowSceneDelegate {
    var window: UIWindow?
    let heard = Recording<String>()

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        heard.append("token")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        heard.append("message")
        Task.detached { completionHandler(.newData) }
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        heard.append("fetch")
        Task.detached { completionHandler(.failed) }
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        heard.append("app performs \(shortcutItem.type)")
        Task.detached { completionHandler(true) }
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        heard.append("scene performs \(shortcutItem.type)")
        Task.detached { completionHandler(true) }
    }
}

/// An instant that a test moves.
final class ManualInstant: Sendable {
    private let start = ContinuousClock.now
    private let passed = Recording<Duration>()

    var value: ContinuousClock.Instant { start + passed.all.reduce(.zero, +) }

    func advance(_ duration: Duration) { passed.append(duration) }
}
