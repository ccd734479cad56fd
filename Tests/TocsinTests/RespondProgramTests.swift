import CenterInterface
import DesktopBus
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

/// `tocsin respond`, while further clicks come.
@Suite(.timeLimit(.minutes(5))) struct RespondProgramTests {
    private static func response(_ id: Int64) -> NotificationResponse {
        NotificationResponse(
            id: id,
            notification: DeliveredNotification(
                app: .tocsin,
                request: NotificationRequest(
                    identifier: "n\(id)", content: NotificationContent(title: "Tea")),
                date: Instant(microseconds: 0)),
            action: .standard, activationToken: nil)
    }

    /// If the process disconnected earlier, a further click would start another process.
    ///
    /// Both would run the commands of the responses that were not acknowledged yet.
    @Test func `respond disconnects only after it has acknowledged its responses`() async throws {
        let bus = try PrivateBus()
        let service = ScriptedService()
        let unacknowledged = Locked<Set<Int64>>([1])
        @Sendable func send(_ id: Int64) async {
            _ = unacknowledged.withLock { $0.insert(id) }
            await service.send(.response(Self.response(id)))
        }
        await service.script(Members.connect) { _ in
            for id in unacknowledged.withLock({ $0 }) { await send(id) }
            return .unknown
        }
        await service.script(Members.acknowledge) { call in
            _ = unacknowledged.withLock { $0.remove(call.1) }
            // The user clicks on another popup.
            if call.1 == 1 { await send(2) }
        }
        let mayClick = Locked(true)
        await service.script(Members.disconnect) { _ in
            let clicks = mayClick.withLock { mayClick in
                defer { mayClick = false }
                return mayClick
            }
            if clicks { await send(3) }
        }
        let connection = try await BusConnection.open(on: bus, name: "center")
        let exporter = ServiceExporter(service: service, connection: connection)
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        let run = try await ProgramTests.run("tocsin", ["respond"], environment: bus.environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(service.inputs(of: Members.acknowledge).map(\.1) == [1, 2, 3])
        let members = service.calls.all.map(\.member.rawValue)
        #expect(
            members.filter { ["Connect", "Acknowledge", "Disconnect"].contains($0) } == [
                "Connect", "Acknowledge", "Acknowledge", "Disconnect", "Connect", "Acknowledge",
                "Disconnect",
            ])
        withExtendedLifetime(exporter) {}
    }
}
