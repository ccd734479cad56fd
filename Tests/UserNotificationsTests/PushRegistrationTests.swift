import CenterInterface
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing
import UserNotifications

/// Registration for remote notifications without UIKit.
@Suite(.timeLimit(.minutes(1))) struct PushRegistrationTests {
    private static func json(_ endpoint: String) -> [UInt8] {
        let key = Data([4] + [UInt8](repeating: 0xff, count: 64)).base64URL
        let secret = Data([UInt8](repeating: 0xfb, count: 16)).base64URL
        return Array(
            #"{"endpoint":"\#(endpoint)","keys":{"auth":"\#(secret)","p256dh":"\#(key)"}}"#.utf8)
    }

    @Test func `a subscription has the parts of its device token`() throws {
        let token = Data(Self.json("https://push.example/a"))
        let subscription = try UNPushSubscription(deviceToken: token)
        #expect(subscription.deviceToken == token)
        #expect(subscription.endpoint == "https://push.example/a")
        #expect(subscription.p256dh == Data([4] + [UInt8](repeating: 0xff, count: 64)))
        #expect(subscription.auth == Data([UInt8](repeating: 0xfb, count: 16)))
    }

    @Test(arguments: ["", "{}", #"{"endpoint":"a","keys":{"auth":"AA","p256dh":"AA"}}"#])
    func `a token that is no subscription is refused`(_ text: String) {
        let error = #expect(throws: UNServiceError.self) {
            try UNPushSubscription(deviceToken: Data(text.utf8))
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a registration passes the server's key, and the app gets later subscriptions`()
        async throws
    {
        let test = TestCenter()
        await test.service.script(Members.registerForPushes) { _ async throws(NotificationError) in
            Self.json("https://push.example/a")
        }
        let heard = Recording<UNPushSubscription?>()
        test.center.pushSubscriptionChanged = { heard.append($0) }
        let subscription = try await test.center.registerForRemoteNotifications(vapidKey: "key")
        #expect(subscription.endpoint == "https://push.example/a")
        let calls = test.service.inputs(of: Members.registerForPushes)
        #expect(calls.map(\.0) == [.tocsin] && calls.map(\.1) == ["key"])
        await test.service.send(
            .subscriptionChanged(Self.json("https://push.example/b"), of: .tocsin))
        await test.service.send(.subscriptionChanged(nil, of: .tocsin))
        let all = try await heard.first(2)
        #expect(all[0]?.endpoint == "https://push.example/b" && all[1] == nil)
        try await test.center.unregisterForRemoteNotifications()
        #expect(test.service.inputs(of: Members.unregisterFromPushes) == [.tocsin])
    }

    /// UIKit passes the response to a scene, also the response to a local notification.
    @Test func `the response that started the program is available to UIKit`() async throws {
        let service = ScriptedService()
        var source = ServiceSource(
            application: { ApplicationIdentity(id: .tocsin, name: "Test") }, service: { service })
        source.launchedFor = { "n2" }
        let center = UNUserNotificationCenter(source: source)
        #expect(await center.launchResponse() == nil)
        // The launch needs the response before the app can set its delegate.
        #expect(service.inputs(of: Members.connect).map(\.sessionOptions) == [.init()])
        await service.send(.response(TestCenter.response(1)))
        // This older response to the same request waited for the start of the program.
        await service.send(.response(TestCenter.response(2, .dismiss)))
        let click = NotificationResponse(
            id: 3, notification: TestCenter.delivered("n2"), action: .custom("snooze"))
        await service.send(.response(click))
        await service.send(.response(TestCenter.response(4)))
        let response = await center.launchResponse()
        #expect(response?.notification.request.identifier == "n2")
        #expect(response?.actionIdentifier == "snooze")
    }

    @Test(arguments: [
        (NotificationError.Code.noDistributor, UNServiceError.Code.noDistributor),
        (.distributorRefused, .distributorRefused), (.noDaemon, .noDaemon),
    ])
    func `the error of a failed registration says what is missing`(
        _ code: NotificationError.Code, _ expected: UNServiceError.Code
    ) async throws {
        let test = TestCenter()
        await test.service.fail(
            Members.registerForPushes, with: NotificationError(code, "Install one."))
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.registerForRemoteNotifications()
        }
        #expect(error?.code == expected && error?.message == "Install one.")
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
