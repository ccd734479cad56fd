import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A notification centre on a private bus with a scripted server, in either hosting mode.
struct ServiceHarness {
    let center: HostedService
    let server: ScriptedServer
    let bus: PrivateBus

    var service: any NotificationService { center.service }
    var app: ApplicationID { center.app }

    /// Runs a test body; prints the bus messages if the body throws.
    static func run(
        _ hosting: Hosting, script: ServerScript = ServerScript(),
        programs: [String: String] = [:],
        _ body: @Sendable (ServiceHarness) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            let center = try await HostedService.start(
                hosting, on: bus, adding: try await variables(of: bus, programs: programs))
            do {
                try await body(ServiceHarness(center: center, server: server, bus: bus))
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
            await server.stop()
        }
    }

    /// Writes the programs, and returns the variables that let the centre start them.
    ///
    /// `programs` holds the texts of shell scripts by name. `DISPLAY` names no real display, but
    /// without this variable the centre starts no dialog.
    private static func variables(
        of bus: PrivateBus, programs: [String: String]
    ) async throws -> [String: String] {
        guard !programs.isEmpty else { return [:] }
        let folder = bus.directory + "/bin"
        for (name, script) in programs {
            try await ShellScript.write(script, to: "\(folder)/\(name)")
        }
        return ["PATH": folder, "DISPLAY": ":nowhere", "FOLDER": bus.directory]
    }

    /// Starts a screen locker; returns when the engine knows whether the session is locked.
    func startLocker(
        _ name: BusName = "org.freedesktop.ScreenSaver", isActive: Bool
    ) async throws -> ScriptedLocker {
        let recorder = try await BusRecorder(bus)
        let locker = try await ScriptedLocker.start(on: bus, as: name, isActive: isActive)
        try await recorder.waitForAnswer(to: "GetActive")
        await recorder.stop()
        try await bus.untilReceived()
        #expect(try await service.status().lock.isLocked == isActive)
        return locker
    }

    /// The nth post, counted from 1.
    func post(_ count: Int) async throws -> NotifyCall {
        let calls = try await server.calls.wait(for: "post \(count)") { $0.count >= count }
        return calls[count - 1]
    }
}
