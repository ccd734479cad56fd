import Foundation
import TestSupport
import Testing

/// The programs that a login starts, on a bus that no client calls.
@Suite(.timeLimit(.minutes(5))) struct LoginTests {
    /// Returns the value of the line `key=`; the file must have exactly one such line.
    private static func value(of key: String, in file: String) throws -> String {
        let lines = try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
        try #require(lines.count == 1, "\(key) in \(file)")
        return String(lines[0].dropFirst(key.count + 1))
    }

    /// Runs the command of the installed file as a session would; returns when the daemon serves.
    private static func session(
        on bus: PrivateBus, state: String, command: String
    ) async throws -> RunningProgram {
        var environment = bus.environment
        environment["XDG_STATE_HOME"] = state
        let daemon = try RunningProgram(
            "sh", ["-c", "exec \(command) 2>&1"], environment: environment)
        try await daemon.lines.wait(for: "the daemon") { lines in
            lines.contains { $0.contains("serving") }
        }
        return daemon
    }

    @Test(arguments: [
        ("usr/share/systemd/user/tocsind.service", "ExecStart"),
        ("etc/xdg/autostart/tocsind-autostart.desktop", "Exec"),
    ])
    func `a pending request fires in a new session although no client calls the daemon`(
        file: String, key: String
    ) async throws {
        try await InstallationTests.installed { directory in
            let command = try Self.value(of: key, in: "\(directory)/\(file)")
            let state = "\(directory)/state"
            // The old session has no server, so the request stays pending, however slow this test
            // is.
            let old = try PrivateBus()
            let first = try await Self.session(on: old, state: state, command: command)
            let schedule = try await ProgramTests.run(
                "tocsin", ["schedule", "Hi", "--in", "200ms"],
                environment: old.environment)
            #expect(schedule.status == 0, "\(schedule.errors)")
            await first.stop()
            old.stop()

            let new = try PrivateBus()
            let server = try await ScriptedServer.start(on: new)
            let second = try await Self.session(on: new, state: state, command: command)
            let posts = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
            #expect(posts.map(\.summary) == ["Hi"])
            await second.stop()
            #expect(server.calls.all.count == 1)
            await server.stop()
        }
    }

    @Test func `the unit starts at each login, and the autostart entry only without systemd`()
        async throws
    {
        try await InstallationTests.installed { directory in
            let service = "org.tocsin.NotificationCenter1"
            let unit = "\(directory)/usr/share/systemd/user/tocsind.service"
            let start = try Self.value(of: "ExecStart", in: unit)
            #expect(try Self.value(of: "WantedBy", in: unit) == "default.target")
            #expect(try Self.value(of: "KillMode", in: unit) == "process")
            // With a start limit, systemd would at last leave a crashed daemon stopped.
            #expect(try Self.value(of: "StartLimitIntervalSec", in: unit) == "0")
            #expect(try Self.value(of: "RestartSteps", in: unit) == "6")
            let text = try String(contentsOfFile: unit, encoding: .utf8)
            for key in ["UMask", "LimitCORE", "NoNewPrivileges", "ProtectSystem", "PrivateTmp"] {
                #expect(!text.contains(key), "apps that a click starts would inherit it")
            }
            #expect(try Self.value(of: "BusName", in: unit) == service)
            let entry = "\(directory)/etc/xdg/autostart/tocsind-autostart.desktop"
            #expect(try Self.value(of: "X-systemd-skip", in: entry) == "true")
            #expect(try Self.value(of: "Exec", in: entry) == start)
            // A removed package leaves this entry behind, and the entry must start nothing.
            #expect(try Self.value(of: "TryExec", in: entry) == start)
            let activation = "\(directory)/usr/share/dbus-1/services/\(service).service"
            #expect(try Self.value(of: "SystemdService", in: activation) == "tocsind.service")
            #expect(try Self.value(of: "Exec", in: activation) == start)
        }
    }
}
