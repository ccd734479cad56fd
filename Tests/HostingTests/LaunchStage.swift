import Foundation
import HostingSupport
import NotificationModel
import TestSupport

/// A real daemon on a private bus, a scripted server, and `LaunchProbe` as the app.
///
/// It owns the bus, the server and the daemons.
///
/// It promises to add the daemons' output to the error of a failed test.
///
/// It never leaves a daemon behind.
final class LaunchStage: Sendable {
    let bus: PrivateBus
    let server: ScriptedServer
    /// The lines that all runs of the app have reported.
    var lines: Recording<String> { pipe.lines }
    private let daemons = Recording<RunningProgram>()
    private let pipe: ReportPipe

    private init(bus: PrivateBus, server: ScriptedServer, pipe: ReportPipe) {
        self.bus = bus
        self.server = server
        self.pipe = pipe
    }

    /// Runs a test's body with a daemon; prints the bus messages if the body throws.
    static func run(
        script: ServerScript = ServerScript(), _ body: (LaunchStage) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            let stage = LaunchStage(
                bus: bus, server: server, pipe: try ReportPipe(bus.directory + "/report"))
            do {
                try await stage.startDaemon()
                try await HostedService.allow(.daemon, on: bus)
                try await body(stage)
            } catch {
                await stage.stop()
                throw HarnessError("\(error)\n\(stage.daemons.all.map(\.said))")
            }
            await stage.stop()
        }
    }

    /// Starts a daemon; the previous daemon must have ended.
    func startDaemon() async throws {
        // The programs that the daemon starts inherit these variables.
        daemons.append(try await HostedService.startDaemon(on: bus, adding: places))
    }

    /// Kills the daemon, and waits for its end.
    func killDaemon() async throws {
        daemons.all.last?.signal(SIGKILL)
        _ = try await daemons.all.last?.exit()
    }

    /// Returns a client of the centre, to read its lists and status.
    func center() async throws -> HostedService {
        try await HostedService.attach(.daemon, on: bus)
    }

    private var places: [String: String] {
        ["PROBE_REPORT": bus.directory + "/report", "PROBE_MARKER": bus.directory + "/marker"]
    }

    private var environment: [String: String] {
        Hosting.daemon.environment(bus.environment).merging(places) { $1 }
    }

    /// Starts the app.
    func start(_ arguments: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            try HostedService.program("LaunchProbe"), arguments, environment: environment)
    }

    /// Starts the app as a user does at a terminal.
    func startAtTerminal() throws -> TerminalProgram {
        try TerminalProgram(
            try HostedService.program("LaunchProbe"), [], environment: environment,
            in: bus.directory)
    }

    /// Runs the app, which schedules a notification and quits; returns the notification's popup.
    ///
    /// The notification is stored as delivered by then.
    func schedule(_ arguments: [String] = []) async throws -> NotifyCall {
        try? FileManager.default.removeItem(atPath: bus.directory + "/marker")
        let count = server.calls.all.count
        let probe = try start(arguments)
        guard try await probe.exit() == 0 else { throw HarnessError(probe.said) }
        let calls = try await server.calls.wait(for: "the popup") { $0.count > count }
        try await center().settled { _, delivered in delivered.count == 1 }
        return calls[count]
    }

    /// Installs a desktop file for the programs on the bus.
    func installEntry(_ id: String, _ text: String) throws {
        let folder = bus.directory + "/home/.local/share/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/\(id).desktop", atomically: true, encoding: .utf8)
    }

    /// Waits until the reports of all runs satisfy the condition.
    func report(
        _ what: String, _ isThere: @escaping @Sendable ([String]) -> Bool
    ) async throws {
        try await lines.wait(for: what, until: isThere)
    }

    private func stop() async {
        for daemon in daemons.all { await daemon.stop() }
        await server.stop()
        await pipe.stop()
    }
}

extension NotifyCall {
    /// The key of the button whose lower-case label is `label`; without such a button, `label`.
    func key(_ label: String) -> String {
        actions.first { $0.label.lowercased() == label }?.key ?? label
    }
}
