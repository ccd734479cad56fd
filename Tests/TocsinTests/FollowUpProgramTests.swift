import Foundation
import TestSupport
import Testing

/// The user's later actions on a notification, with the built programs.
@Suite(.timeLimit(.minutes(5))) struct FollowUpProgramTests {
    /// A bus with a server and a daemon.
    private struct Stage {
        let bus: PrivateBus
        let server: ScriptedServer

        func daemon() async throws -> RunningProgram {
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(ProgramTests.products)/tocsind' 2>&1"],
                environment: bus.environment)
            _ = try await daemon.lines.first("the daemon") { $0.contains("serving") }
            return daemon
        }

        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }

        /// Shows a popup and clicks on its button until a program reports the click.
        func click(_ title: String, until heard: Recording<String>) async throws {
            while !heard.all.contains(where: { $0.contains(title) }) {
                let before = server.calls.all.count
                #expect(try await tocsin("send", title, "--id", title, "-A", "yes=Yes").status == 0)
                try await server.calls.first(before + 1)
                try await ProgramTests.settle(server, bus)
                guard let call = server.calls.all.last else { continue }
                try await server.click(call.id, call.actions[0].key)
                try await ProgramTests.settle(server, bus)
                // The daemon answers in order, so it has handled the click before this command.
                _ = try await tocsin("list")
            }
        }
    }

    private static func run(_ body: (Stage) async throws -> Void) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await body(Stage(bus: bus, server: server))
        await server.stop()
    }

    @Test func `watch prints responses as they come, also after a restart of the daemon`()
        async throws
    {
        try await Self.run { stage in
            let first = try await stage.daemon()
            let watch = try RunningProgram(
                "\(ProgramTests.products)/tocsin", ["watch", "--json"],
                environment: stage.bus.environment)
            try await stage.click("one", until: watch.lines)
            first.signal(SIGTERM)
            #expect(try await first.exit() == 0, "\(first.said)")
            let second = try await stage.daemon()
            try await stage.click("two", until: watch.lines)
            for line in watch.lines.all {
                #expect(line.contains(#""outcome":"action","action":"yes","reply":null}"#))
            }
            watch.signal(SIGINT)
            _ = try await watch.exit()
            second.signal(SIGTERM)
            #expect(try await second.exit() == 0, "\(second.said)")
        }
    }

    @Test func `a watch ends with an error if its bus is lost`() async throws {
        try await Self.run { stage in
            let daemon = try await stage.daemon()
            let watch = try RunningProgram(
                "\(ProgramTests.products)/tocsin", ["watch"], environment: stage.bus.environment)
            try await stage.click("one", until: watch.lines)
            stage.bus.stop()
            #expect(try await watch.exit() == 75)
            #expect(watch.said.contains("The session bus was lost"), "\(watch.said)")
            await daemon.stop()
        }
    }

    @Test func `a snooze closes the popup and makes the notification pending again`() async throws {
        try await Self.run { stage in
            let daemon = try await stage.daemon()
            #expect(try await stage.tocsin("send", "Tea", "--id", "tea").status == 0)
            let shown = try await ProgramTests.shown("Tea", on: stage.server, stage.bus)
            let snoozed = try await stage.tocsin("snooze", "10m")
            #expect(snoozed.status == 0 && snoozed.output.hasPrefix("tea: "), "\(snoozed)")
            _ = try await stage.server.closings.first("the popup's end") { $0 == shown.id }
            let list = try await stage.tocsin("list", "--json").output
            #expect(
                list.contains(#""id":"tea""#) && list.contains(#""state":"pending""#), "\(list)")
            daemon.signal(SIGTERM)
            #expect(try await daemon.exit() == 0)
        }
    }

    /// A backup program may restore the file with another mode.
    @Test func `cancel names what it removed, even if the file of commands cannot be used`()
        async throws
    {
        try await Self.run { stage in
            let added = try await stage.tocsin("in", "10h", "Tea", "--on-click", "true", "-p")
            #expect(added.status == 0, "\(added.errors)")
            let state = try #require(stage.bus.environment["XDG_STATE_HOME"])
            try #require(chmod("\(state)/tocsin/commands.jsonl", 0o666) == 0)
            let removed = try await stage.tocsin("cancel", "--all", "--json")
            #expect(removed.status == 0)
            #expect(removed.output == #"{"id":"\#(added.output)"}"#)
            #expect(removed.errors.contains("give it the mode 600"), "\(removed.errors)")
        }
    }

    @Test func `a refused request deletes no command of the earlier request with its identifier`()
        async throws
    {
        try await Self.run { stage in
            let added = try await stage.tocsin(
                "in", "10h", "Tea", "--id", "tea", "--on-click", "true")
            #expect(added.status == 0, "\(added.errors)")
            let long = String(repeating: "x", count: 100_000)
            let plain = try await stage.tocsin(
                "in", "5h", long, "--id", "tea", "--subtitle", long, "--thread", long)
            #expect(plain.status == 65, "\(plain.errors)")
            let clicked = try await stage.tocsin(
                "in", "5h", long, "--id", "tea", "--subtitle", long, "--thread", long,
                "--on-click", "false")
            #expect(clicked.status == 65, "\(clicked.errors)")
            let list = try await stage.tocsin("list", "--commands")
            #expect(list.output.contains("click: true"), "\(list.output)")
        }
    }
}
