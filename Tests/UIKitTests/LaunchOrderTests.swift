import CenterInterface
import NotificationModel
import ScriptedService
import TestSupport
import Testing
import UIKit
import UserNotifications

/// The order of the launch and of the response whose click started the app.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct LaunchOrderTests {
    private final class CenterDelegate: NSObject, UNUserNotificationCenterDelegate {
        let heard: Recording<String>

        init(_ heard: Recording<String>) {
            self.heard = heard
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            heard.append("didReceive \(response.notification.request.identifier)")
            completionHandler()
        }
    }

    /// Apps take a response in the state `.inactive` for the one that opened the app.
    @Test func `the response that started the app comes before the app becomes active`()
        async throws
    {
        let service = ScriptedService()
        let click = NotificationResponse(
            id: 1,
            notification: DeliveredNotification(
                app: .tocsin,
                request: NotificationRequest(
                    identifier: "tea", content: NotificationContent(title: "Tea")),
                date: Instant(microseconds: 1_000_000)),
            action: .standard)
        // A stored response comes before the answer to the connect call.
        await service.script(Members.connect) { _ async throws(NotificationError) in
            await service.send(.response(click))
            return .unknown
        }
        var source = ServiceSource(
            application: { ApplicationIdentity(id: .tocsin, name: "Test") }, service: { service })
        source.launchedFor = { "tea" }
        let center = UNUserNotificationCenter(source: source)
        let test = try TestApplication(center: center, isLaunchedForNotification: true)
        let delegate = CenterDelegate(test.delegate.heard)
        center.delegate = delegate
        test.application.start()
        let heard = try await test.delegate.heard.first(4)
        #expect(
            heard == [
                "willFinish inactive", "didFinish inactive", "didReceive tea",
                "didBecomeActive active",
            ])
        withExtendedLifetime(delegate) {}
    }
}
