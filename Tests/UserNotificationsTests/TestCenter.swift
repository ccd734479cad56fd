import CenterInterface
import NotificationModel
import ScriptedService
import UserNotifications

/// A center with a scripted service, separate for each test so that tests run concurrently.
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

    /// A center that cannot reach its service.
    static func unreachable() -> UNUserNotificationCenter {
        UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { () async throws(NotificationError) in
                    throw NotificationError(.noBus, "No session bus. Start one.")
                }))
    }

    /// The value of `asksBeforePresenting` in each connect call.
    var asks: [Bool] {
        service.inputs(of: Members.connect).map(\.sessionOptions.asksBeforePresenting)
    }

    /// Waits until the latest connect call has this value of `asksBeforePresenting`.
    func waitUntil(asks: Bool) async throws {
        try await service.inputs(of: Members.connect) {
            $0.last?.sessionOptions.asksBeforePresenting == asks
        }
    }

    /// Asks the center about a notification, and returns the delegate's decision.
    func decision(_ number: UInt64 = 1) async throws -> PresentationOptions? {
        let token = PresentationToken(rawValue: number)
        await service.send(.willPresent(token, Self.delivered("asked")))
        return try await service.inputs(of: Members.decidePresentation) { inputs in
            inputs.contains { $0.0 == token }
        }.first { $0.0 == token }?.1
    }

    /// The responses that the center acknowledged.
    var acknowledged: [Int64] { service.inputs(of: Members.acknowledge).map(\.1) }

    func waitUntilAcknowledged(_ id: Int64) async throws {
        try await service.inputs(of: Members.acknowledge) { $0.map(\.1).contains(id) }
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
