import UIKit
import UserNotifications

/// An app of UIKit that registers for remote notifications, and reports what its delegates hear.
///
/// Lines go to the file that the variable `PROBE_REPORT` names, because the daemon starts the app
/// again without arguments.
@main
final class PushProbe: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private nonisolated func say(_ line: String) {
        let report = ProcessInfo.processInfo.environment["PROBE_REPORT"] ?? ""
        guard let handle = FileHandle(forWritingAtPath: report) else { return }
        try? handle.write(contentsOf: Data((line + "\n").utf8))
        try? handle.close()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // A probe that hangs must not hang the tests.
        alarm(120)
        let push = options?[.remoteNotification] as? [AnyHashable: Any]
        say("start match \(push?["match"] ?? "-") \(getpid())")
        UNUserNotificationCenter.current().delegate = self
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        say("token " + String(decoding: deviceToken, as: UTF8.self))
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        say("failed " + error.localizedDescription)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        say("message \(userInfo["feed"] ?? "-")")
        completionHandler(.newData)
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let match = response.notification.request.content.userInfo["match"] ?? "-"
        say("response \(response.actionIdentifier) match \(match)")
        completionHandler()
    }
}
