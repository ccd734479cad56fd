import HostingSupport
import NotificationModel
import TestSupport

/// A notification centre on a bus of its own with a scripted server, in either hosting mode.
struct ServiceHarness {
    let center: HostedService
    let server: ScriptedServer

    var service: any NotificationService { center.service }
    var app: ApplicationID { center.app }

    /// Runs a test body; what crossed the bus is printed if it throws.
    static func run(
        _ hosting: Hosting, script: ServerScript = ServerScript(),
        _ body: @Sendable (ServiceHarness) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            let center = try await HostedService.start(hosting, on: bus)
            do {
                try await body(ServiceHarness(center: center, server: server))
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
            await server.stop()
        }
    }

    /// The nth post, counted from 1.
    func post(_ count: Int) async throws -> NotifyCall {
        let calls = try await server.calls.wait(for: "post \(count)") { $0.count >= count }
        return calls[count - 1]
    }
}
