import DesktopBus
import Foundation
import TestSupport
import Testing

/// A program of the client package on a private bus, with a scripted notification server.
struct ClientRun {
    let server: ScriptedServer
    private let program: RunningProgram
    /// The popups on the server, except questions for permission, which `watch` allows at once.
    private let popups = Recording<NotifyCall>()

    /// Runs a program; prints the bus messages if the body throws.
    static func run(
        _ name: String, of build: ClientBuild, _ body: (ClientRun) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            var script = ServerScript.plasma64
            // The programs post one text twice; Plasma would refuse the second post for a second.
            script.repeatInterval = nil
            let server = try await ScriptedServer.start(on: bus, script: script)
            var environment = bus.environment
            environment["TOCSIN_MODE"] = "embedded"
            // The machine's own GeoClue would make the app ask for the location.
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(bus.directory)/none"
            environment["TOCSIN_APP_ID"] = "org.example.\(name)"
            // `UserDefaults` keeps the settings of an app in its home.
            environment["HOME"] = bus.directory
            let program = try RunningProgram(
                "stdbuf", ["-oL", build.path(of: name)], environment: environment)
            let run = ClientRun(server: server, program: program)
            let watching = Task { try await run.watch() }
            do {
                try await body(run)
            } catch {
                Issue.record("\(name) said:\n\(program.said)")
                watching.cancel()
                await program.stop()
                throw error
            }
            watching.cancel()
            await program.stop()
            await server.stop()
        }
    }

    private func watch() async throws {
        for count in 1... {
            let call = try await server.calls.first(count)[count - 1]
            if let allow = call.actions.first(where: { $0.label == "Allow" }) {
                try await server.click(call.id, allow.key)
            } else {
                popups.append(call)
            }
        }
    }

    /// The nth popup, counted from 1.
    func popup(_ count: Int) async throws -> NotifyCall {
        try await popups.first(count)[count - 1]
    }

    func click(_ popup: NotifyCall, label: String) async throws {
        let action = try #require(popup.actions.first { $0.label == label })
        try await server.click(popup.id, action.key)
    }

    /// Waits for the program's clean end, and for exactly these lines, in any order.
    ///
    /// The test ignores lines about a badge, because they depend on the desktop.
    func prints(_ lines: [String]) async throws {
        #expect(try await program.exit() == 0, "\(program.said)")
        try await program.lines.untilFinished()
        let printed = program.lines.all.filter { !$0.lowercased().hasPrefix("badge: ") }
        #expect(printed.sorted() == lines.sorted())
    }
}
