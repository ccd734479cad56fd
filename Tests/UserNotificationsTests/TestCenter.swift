import NotificationModel
import ScriptedService

@testable import UserNotifications

/// A center of its own over a scripted service, so that tests run beside each other.
struct TestCenter {
    let service = ScriptedService()
    let center: UNUserNotificationCenter

    init(temporaryDirectories: [String]? = nil, delays: DelayedWork = .system) {
        let service = service
        center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { service }), temporaryDirectories: temporaryDirectories,
            delays: delays)
    }

    /// A center that can reach no service.
    static func unreachable() -> UNUserNotificationCenter {
        UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { () async throws(NotificationError) in
                    throw NotificationError(.noBus, "No session bus. Start one.")
                }))
    }

    static func request(
        _ identifier: String = "one", content: UNNotificationContent = .init(),
        trigger: UNNotificationTrigger? = nil
    ) -> UNNotificationRequest {
        UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
    }

    static func delivered(_ identifier: String = "one") -> DeliveredNotification {
        DeliveredNotification(
            app: .tocsin,
            request: NotificationRequest(
                identifier: identifier, content: NotificationContent(title: identifier)),
            date: Instant(microseconds: 1_000_000))
    }

    static func response(
        _ id: Int64, _ action: NotificationResponse.Action = .standard
    ) -> NotificationResponse {
        NotificationResponse(id: id, notification: delivered("n\(id)"), action: action)
    }
}
