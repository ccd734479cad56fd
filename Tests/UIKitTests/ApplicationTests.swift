import CenterInterface
import Foundation
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing
import UIKit
import UserNotifications

/// The life of an app, on private buses.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ApplicationTests {
    private nonisolated static let launch = [
        "willFinish inactive", "didFinish inactive", "didBecomeActive active",
    ]
    private nonisolated static let toBackground = [
        "willResignActive active", "didEnterBackground background",
    ]
    private nonisolated static let toFront = [
        "willEnterForeground background", "didBecomeActive active",
    ]

    @Test func `the lock of the session sends the app into the background and back`()
        async throws
    {
        let test = try TestApplication()
        let locker = try await ScriptedLocker.start(on: test.session, isActive: true)
        test.launch()
        #expect(test.delegate.heard.all == Self.launch)
        // The session was locked before the app asked.
        try await test.delegate.heard.wait(for: "the background") {
            $0 == Self.launch + Self.toBackground
        }
        try await locker.lock(false)
        try await test.delegate.heard.wait(for: "the front") {
            $0 == Self.launch + Self.toBackground + Self.toFront
        }
        #expect(test.center.isApplicationActive == nil, "the app has reported no state")
        await locker.stop()
    }

    @Test func `a lock that only logind reports sends the app into the background`() async throws {
        let test = try TestApplication()
        let logind = try await ScriptedLogind.start(on: test.system)
        try await logind.lock()
        test.launch()
        try await test.delegate.heard.wait(for: "the background") {
            $0 == Self.launch + Self.toBackground
        }
        await logind.stop()
    }

    @Test func `the delegate and the centre learn of the window state that the app reports`() throws
    {
        let test = try TestApplication()
        test.launch()
        test.application.windowState = .active
        #expect(test.center.isApplicationActive == true)
        test.application.windowState = .background
        #expect(test.center.isApplicationActive == false)
        #expect(test.application.applicationState == .background)
        #expect(test.delegate.heard.all == Self.launch + Self.toBackground)
    }

    @Test func `a state change that the delegate causes waits for the end of the running step`()
        throws
    {
        let test = try TestApplication()
        test.launch()
        test.delegate.onResign = { [unowned test] in
            test.application.windowState = .active
            test.delegate.heard.append("resigned")
        }
        test.application.windowState = .inactive
        #expect(
            test.delegate.heard.all == Self.launch + [
                "willResignActive active", "resigned", "didBecomeActive active",
            ])
    }

    @Test func `each life-cycle step is also posted as a Foundation notification`() throws {
        let test = try TestApplication()
        let posted = Recording<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: nil, object: test.application, queue: nil
        ) { posted.append($0.name.rawValue) }
        test.launch()
        test.application.windowState = .background
        test.application.windowState = .active
        test.application.requestTermination()
        NotificationCenter.default.removeObserver(observer)
        #expect(
            posted.all
                == [
                    UIApplication.didFinishLaunchingNotification,
                    UIApplication.didBecomeActiveNotification,
                    UIApplication.willResignActiveNotification,
                    UIApplication.didEnterBackgroundNotification,
                    UIApplication.willEnterForegroundNotification,
                    UIApplication.didBecomeActiveNotification,
                    UIApplication.willResignActiveNotification,
                    UIApplication.didEnterBackgroundNotification,
                    UIApplication.willTerminateNotification,
                ].map(\.rawValue))
        #expect(test.ends.all == [0])
    }

    @Test
    func `a failed registration for remote notifications gives the delegate the reason`()
        async throws
    {
        let test = try TestApplication()
        test.application.registerForRemoteNotifications()
        let error = try await test.delegate.errors.first(1)[0]
        #expect(error == "No session bus. Start one.")
        #expect(!test.application.isRegisteredForRemoteNotifications)
    }

    /// Makes the service hold back its answer to a registration until the promise is fulfilled.
    private static func holdRegistration(
        _ endpoint: String, of service: ScriptedService
    ) async -> Promise<Void> {
        let mayAnswer = Promise<Void>()
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            await mayAnswer.value()
            return Self.subscription(endpoint)
        }
        return mayAnswer
    }

    @Test func `an app that unregisters during its registration gets no token`() async throws {
        let service = ScriptedService()
        let mayAnswer = await Self.holdRegistration("a", of: service)
        let test = try TestApplication(center: Self.center(service))
        test.application.registerForRemoteNotifications()
        test.application.unregisterForRemoteNotifications()
        mayAnswer.fulfill(())
        try await service.inputs(of: Members.unregisterFromPushes) { !$0.isEmpty }
        #expect(test.delegate.tokens.all.isEmpty)
        #expect(!test.application.isRegisteredForRemoteNotifications)
    }

    @Test
    func `the delegate gets no token for a subscription that arrives during an unregistration`()
        async throws
    {
        let service = ScriptedService()
        let mayEnd = Promise<Void>()
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("a")
        }
        await service.script(Members.unregisterFromPushes) { _ async throws(NotificationError) in
            await mayEnd.value()
        }
        let test = try TestApplication(center: Self.center(service))
        test.application.registerForRemoteNotifications()
        _ = try await test.delegate.tokens.first(1)
        test.application.unregisterForRemoteNotifications()
        try await service.inputs(of: Members.unregisterFromPushes) { !$0.isEmpty }
        await service.send(.subscriptionChanged(Self.subscription("b"), of: .tocsin))
        mayEnd.fulfill(())
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("c")
        }
        test.application.registerForRemoteNotifications()
        let tokens = try await test.delegate.tokens.first(2)
        #expect(tokens == [Data(Self.subscription("a")), Data(Self.subscription("c"))])
    }

    /// The delegate must get the newer token, because the older one brings no more messages.
    @Test
    func `the token of a subscription that arrives before the registration's reply is delivered`()
        async throws
    {
        let service = ScriptedService()
        let mayAnswer = await Self.holdRegistration("a", of: service)
        let test = try TestApplication(center: Self.center(service))
        test.application.registerForRemoteNotifications()
        try await service.inputs(of: Members.registerForPushes) { !$0.isEmpty }
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("b")
        }
        await service.send(.subscriptionChanged(Self.subscription("b"), of: .tocsin))
        mayAnswer.fulfill(())
        let tokens = try await test.delegate.tokens.first(2)
        #expect(tokens == [Data(Self.subscription("a")), Data(Self.subscription("b"))])
    }

    /// The late reply must not leave the delegate with a token that no longer works.
    @Test
    func `an end of the registration that arrives before the reply still reaches the delegate`()
        async throws
    {
        let service = ScriptedService()
        let mayAnswer = await Self.holdRegistration("a", of: service)
        let test = try TestApplication(center: Self.center(service))
        test.application.registerForRemoteNotifications()
        try await service.inputs(of: Members.registerForPushes) { !$0.isEmpty }
        await service.send(.subscriptionChanged(Self.subscription("a"), of: .tocsin))
        await service.send(.subscriptionChanged(nil, of: .tocsin))
        await service.send(.pushReceived(Array("{}".utf8), of: .tocsin))
        _ = try await test.delegate.messages.first(1)
        mayAnswer.fulfill(())
        let error = try await test.delegate.errors.first(1)[0]
        #expect(error.contains("ended the registration"))
        #expect(!test.application.isRegisteredForRemoteNotifications)
        #expect(service.inputs(of: Members.registerForPushes).count == 1)
    }

    @Test func `if the registration ends before the reply and any token, the app registers again`()
        async throws
    {
        let service = ScriptedService()
        let mayAnswer = await Self.holdRegistration("a", of: service)
        let test = try TestApplication(center: Self.center(service))
        test.application.registerForRemoteNotifications()
        try await service.inputs(of: Members.registerForPushes) { !$0.isEmpty }
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("b")
        }
        await service.send(.subscriptionChanged(nil, of: .tocsin))
        await service.send(.pushReceived(Array("{}".utf8), of: .tocsin))
        _ = try await test.delegate.messages.first(1)
        mayAnswer.fulfill(())
        let tokens = try await test.delegate.tokens.first(2)
        #expect(tokens == [Data(Self.subscription("a")), Data(Self.subscription("b"))])
    }

    @Test func `a delegate with the async forms gets messages and quick actions`() async throws {
        let service = ScriptedService()
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("a")
        }
        let test = try TestApplication(center: Self.center(service))
        let delegate = AsyncDelegate()
        test.application.delegate = delegate
        test.application.registerForRemoteNotifications()
        _ = try await delegate.heard.first(1)
        await service.send(.pushReceived(Array(#"{"feed":"news"}"#.utf8), of: .tocsin))
        #expect(try await delegate.heard.first(2) == ["token", "message news"])
        let results = Recording<Bool>()
        let item = UIApplicationShortcutItem(type: "call", localizedTitle: "Call")
        test.application.delegate?.application(test.application, performActionFor: item) {
            results.append($0)
        }
        #expect(try await results.first(1) == [true])
        #expect(delegate.heard.all.last == "perform call")
    }

    /// Without `@Sendable` in the protocols, such a delegate does not compile in Swift 6 mode.
    @Test func `a delegate with Sendable handlers gets messages, fetches and quick actions`()
        async throws
    {
        let service = ScriptedService()
        await service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.subscription("a")
        }
        let test = try TestApplication(center: Self.center(service))
        let delegate = SendableDelegate()
        test.application.delegate = delegate
        test.application.registerForRemoteNotifications()
        _ = try await delegate.heard.first(1)
        await service.send(.pushReceived(Array("{}".utf8), of: .tocsin))
        #expect(try await delegate.heard.first(2) == ["token", "message"])
        let results = Recording<Bool>()
        let app: any UIApplicationDelegate = delegate
        app.application(
            test.application,
            performFetchWithCompletionHandler: { results.append($0 == .failed) })
        let item = UIApplicationShortcutItem(type: "call", localizedTitle: "Call")
        app.application(test.application, performActionFor: item) { results.append($0) }
        let windows: any UIWindowSceneDelegate = delegate
        let scene = try #require(UIWindowScene(coder: NSCoder()))
        windows.windowScene(scene, performActionFor: item) { results.append($0) }
        #expect(try await results.first(3) == [true, true, true])
        #expect(
            delegate.heard.all == [
                "token", "message", "fetch", "app performs call", "scene performs call",
            ])
    }

    private nonisolated static func subscription(_ name: String) -> [UInt8] {
        let key = Data(count: 65).base64EncodedString()
        let secret = Data(count: 16).base64EncodedString()
        let keys = #"{"p256dh":"\#(key)","auth":"\#(secret)"}"#
        return Array(#"{"endpoint":"https://push.example/\#(name)","keys":\#(keys)}"#.utf8)
    }

    /// A notification centre that reaches this service.
    static func center(
        _ service: ScriptedService, delays: DelayedWork = .system
    ) -> UNUserNotificationCenter {
        UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { service }), delays: delays)
    }

    @Test func `the badge number is kept, and a negative number becomes 0`() throws {
        let test = try TestApplication()
        #expect(test.application.applicationIconBadgeNumber == 0)
        test.application.applicationIconBadgeNumber = 7
        #expect(test.application.applicationIconBadgeNumber == 7)
        test.application.applicationIconBadgeNumber = -1
        #expect(test.application.applicationIconBadgeNumber == 0)
    }

    /// Apps set the badge by the newer method, and count up from the older property.
    @Test func `the badge number is the one that the app gave the notification centre`() throws {
        let test = try TestApplication()
        test.center.setBadgeCount(3)
        #expect(test.application.applicationIconBadgeNumber == 3)
        test.center.setBadgeCount(-1)
        #expect(test.application.applicationIconBadgeNumber == 3, "a negative number is refused")
    }

    /// Apps count up from this property for the badge of their next notification.
    @Test func `the badge number is the one that the centre has`() async throws {
        let service = ScriptedService()
        // The time limit never ends the wait, so a slow machine cannot change the result.
        let test = try TestApplication(
            center: Self.center(service, delays: DelayedWork { _, _ in }))
        await service.script(Members.badge) { _ async throws(NotificationError) in 2 }
        #expect(test.application.applicationIconBadgeNumber == 2)
        await service.fail(Members.badge, with: NotificationError(.storeUnavailable, "Damaged."))
        #expect(test.application.applicationIconBadgeNumber == 2, "the last known number")
        #expect(service.inputs(of: Members.badge) == [.tocsin, .tocsin])
    }

    /// The property blocks the main thread, so a centre that hangs must not block it for ever.
    @Test func `the badge number of a centre that does not answer is the last known one`()
        async throws
    {
        let service = ScriptedService()
        let mayAnswer = Promise<Void>()
        await service.script(Members.badge) { _ async throws(NotificationError) in
            await mayAnswer.value()
            return 2
        }
        // The time limit is over at once.
        let test = try TestApplication(
            center: Self.center(service, delays: DelayedWork { _, work in work() }))
        test.application.applicationIconBadgeNumber = 5
        #expect(test.application.applicationIconBadgeNumber == 5)
        mayAnswer.fulfill(())
    }

    @Test func `a change to a quick action after the app has set it has no effect`() throws {
        let test = try TestApplication()
        let item = UIMutableApplicationShortcutItem(type: "call", localizedTitle: "Call")
        item.localizedSubtitle = "mobile"
        item.userInfo = ["number": NSNumber(value: 7)]
        test.application.shortcutItems = [item]
        item.localizedTitle = "Write"
        let kept = try #require(test.application.shortcutItems?.first)
        #expect(kept.localizedTitle == "Call" && kept.localizedSubtitle == "mobile")
        let copy = try #require(kept.mutableCopy() as? UIMutableApplicationShortcutItem)
        #expect(copy.type == "call" && copy.userInfo?["number"] as? NSNumber == 7)
    }

    /// Apps convert the version to a number, which has at most one point.
    @Test func `the version of the system converts to a number`() throws {
        let version = UIDevice.current.systemVersion
        #expect(version.split(separator: ".").map { Int($0) != nil } == [true, true])
        #expect(try #require(Double(version)) > 2)
    }

    @available(*, deprecated, message: "It tests the older spellings.")
    @Test func `the older names that the articles use mean the current declarations`() {
        let key: UIApplicationLaunchOptionsKey = .remoteNotification
        #expect(key == UIApplication.LaunchOptionsKey.remoteNotification)
        #expect(UIApplicationOpenSettingsURLString == UIApplication.openSettingsURLString)
        #expect(UIBackgroundTaskInvalid == .invalid)
        #expect(
            NSNotification.Name.UIApplicationDidBecomeActive
                == UIApplication.didBecomeActiveNotification)
        let settings = UIUserNotificationSettings(types: [.alert, .badge], categories: nil)
        #expect(settings.types.rawValue == UNAuthorizationOptions([.alert, .badge]).rawValue)
        let state: UIApplicationState = .active
        #expect(state == UIApplication.State.active)
    }

    /// App delegates with `performFetchWithCompletionHandler` make this call at their launch.
    @available(*, deprecated, message: "It tests the older spellings.")
    @Test func `an app sets the interval of its fetches by both spellings`() throws {
        let application = try TestApplication().application
        for interval in [
            UIApplicationBackgroundFetchIntervalMinimum, UIApplication.backgroundFetchIntervalNever,
        ] { application.setMinimumBackgroundFetchInterval(interval) }
        #expect(UIApplication.backgroundFetchIntervalMinimum == 0)
        #expect(UIApplicationBackgroundFetchIntervalNever == .greatestFiniteMagnitude)
    }
}
