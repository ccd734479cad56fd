import DesktopBus
import Foundation
import HostingSupport
import NotificationEngine
import NotificationModel
import TestSupport

/// A bus, a scripted server, a daemon that is killed repeatedly, and the record of all events.
final class KillStage: Sendable {
    static let category = "kill"

    let bus: PrivateBus
    let server: ScriptedServer
    let app: ApplicationID
    let events = Recording<KillEvent>()
    /// The titles of the added requests that are due soon.
    let asked = Recording<String>()
    /// The number of the daemon on the bus, from 1; nil while none is there.
    let lives = Recording<Int?>()
    /// Gets an element when no new work may begin.
    private let ends = Recording<Bool>()

    init() async throws {
        bus = try PrivateBus()
        server = try await ScriptedServer.start(on: bus)
        app = try ApplicationID("org.tocsin.Test")
    }

    var isOver: Bool { !ends.all.isEmpty }

    func finish() {
        ends.append(true)
    }

    /// The number of the daemon that is on the bus; nil while none is there.
    var life: Int? { lives.all.last.flatMap(\.self) }

    /// Returns when a daemon is on the bus.
    func untilAlive() async throws {
        try await lives.wait(for: "a daemon") { $0.last.flatMap(\.self) != nil }
    }

    /// A client of the current daemon, and its connection.
    func client(_ name: String) async throws -> (any NotificationService, BusConnection) {
        let connection = try await BusConnection.open(on: bus, name: name)
        return (HostedService.client(over: connection), connection)
    }

    /// Returns when the server has handled all earlier messages and sent its signals.
    func barrier(on connection: BusConnection) async throws {
        _ = try await connection.call(
            MethodCall(
                destination: "org.freedesktop.Notifications",
                path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "GetCapabilities"))
    }

    /// Returns when no pending request is due within a minute, other than the repeating ones.
    func untilNothingIsDue() async throws {
        let (service, connection) = try await client("settle")
        var isWaiting = true
        while isWaiting {
            let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
            isWaiting = try await service.pending(of: nil).contains {
                !$0.request.identifier.hasPrefix("every")
                    && ($0.nextFire ?? now) < now.adding(microseconds: 60_000_000)
            }
        }
        await connection.close()
    }

    /// A request of the app.
    func request(
        _ identifier: String, title: String? = nil, after seconds: Double? = nil
    ) -> NotificationRequest {
        var content = NotificationContent(title: title ?? identifier)
        content.categoryIdentifier = Self.category
        return NotificationRequest(
            identifier: identifier, content: content,
            trigger: seconds.map { .interval(seconds: $0, repeats: false) })
    }

    /// The category of the app's popups; the app also receives dismissals.
    var categories: [NotificationCategory] {
        [
            NotificationCategory(
                identifier: Self.category,
                actions: [NotificationAction(identifier: "done", title: "Done")],
                options: .customDismissAction)
        ]
    }
}
