import DesktopBus
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import tocsin

/// `tocsin run`: it runs a command and notifies the user of its end.
@Suite(.timeLimit(.minutes(5))) struct RunCommandTests {
    private static var noBus: [String: String] {
        [
            "HOME": "/nonexistent", "PATH": "/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
        ]
    }

    @Test(
        arguments: [
            (["sh", "-c", "exit 7"], 7), (["true"], 0), (["sh", "-c", "kill -TERM $$"], 143),
            (["/nonexistent/x"], 127), (["/"], 126),
        ] as [([String], Int32)])
    func `without a bus, too, the exit status of run is that of its command`(
        command: [String], status: Int32
    ) async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--"] + command, environment: Self.noBus)
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("tocsin: "))
    }

    @Test func `run needs no bus if its command causes no notification`() async throws {
        for options in [["--on-fail"], ["--over", "1h"]] {
            let run = try await ProgramTests.run(
                "tocsin", ["run"] + options + ["--", "true"], environment: Self.noBus)
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
        }
    }

    @Test func `run passes on the input, the output and the errors of its command`() async throws {
        let shell = try RunningProgram(
            "sh",
            [
                "-c",
                "echo in | '\(ProgramTests.products)/tocsin' run --on-fail -- "
                    + "sh -c 'read a; echo out $a; echo err >&2'",
            ], environment: Self.noBus)
        #expect(try await shell.exit() == 0)
        try await shell.lines.untilFinished()
        #expect(shell.lines.all == ["out in"])
        #expect(shell.said == "out in\nerr\n")
    }

    @Test func `a log has the whole output, even more than a pipe holds`() async throws {
        try await InstallationTests.withFolder { directory in
            let log = "\(directory)/log"
            let run = try await ProgramTests.run(
                "tocsin",
                [
                    "run", "--on-fail", "--log", log, "--", "sh", "-c",
                    "echo err >&2; seq 1 30000",
                ], environment: Self.noBus)
            #expect(run.status == 0)
            #expect(run.errors == "err\n")
            let lines = (1...30_000).map(String.init)
            #expect(run.output == lines.joined(separator: "\n"))
            let text = try String(contentsOfFile: log, encoding: .utf8)
            // Text of the other stream may interrupt a line.
            #expect(text.contains("err\n"))
            #expect(text.replacingOccurrences(of: "err\n", with: "") == run.output + "\n")
        }
    }

    /// A program in the background may keep the pipe open and write for ever.
    @Test func `the tool ends with its command, however much a program in the background writes`()
        async throws
    {
        let run = try await ProgramTests.run(
            "tocsin",
            [
                "run", "--on-fail", "--log", "/dev/null", "--", "sh", "-c", "yes &",
            ], environment: Self.noBus)
        #expect(run.status == 0)
    }

    @Test func `run starts no command if the log cannot be written`() async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--log", "/nonexistent/log", "--", "echo", "ran"],
            environment: Self.noBus)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("The command was not run"))
    }

    /// The command may take hours, and its result could then be shown for no app.
    @Test(arguments: [["--app", "a/b"], ["-a", String(repeating: "x", count: 300)]])
    func `run starts no command for an app that cannot notify`(options: [String]) async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["run"] + options + ["--", "echo", "ran"], environment: Self.noBus)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("cannot be used"), "\(run.errors)")
    }

    @Test func `a log on a full disk is reported, and the command goes on`() async throws {
        let run = try await ProgramTests.run(
            "tocsin",
            ["run", "--on-fail", "--log", "/dev/full", "--", "sh", "-c", "echo one; echo two"],
            environment: Self.noBus)
        #expect(run.status == 0)
        #expect(run.output == "one\ntwo")
        #expect(run.errors.contains("the log '/dev/full' is not complete: No space left on device"))
    }

    @Test func `the tool passes a signal on to the command`() async throws {
        let running = try RunningProgram(
            "\(ProgramTests.products)/tocsin",
            [
                "run", "--", "sh", "-c",
                "trap 'echo got; exit 9' USR1; echo up; while :; do read x; done",
            ],
            environment: Self.noBus)
        try await running.lines.first("the command") { $0 == "up" }
        running.signal(SIGUSR1)
        #expect(try await running.exit() == 9)
        try await running.lines.untilFinished()
        #expect(running.lines.all == ["up", "got"])
    }

    /// Lets `tocsin run` run a shell script; the tool ignores this signal from its start.
    private static func run(
        ignoring signal: String, _ script: String
    ) async throws -> (status: Int32, lines: [String]) {
        let running = try RunningProgram(
            "env",
            [
                "--ignore-signal=\(signal)", "\(ProgramTests.products)/tocsin", "run", "--on-fail",
                "--", "sh", "-c", script,
            ], environment: Self.noBus)
        let status = try await running.exit()
        try await running.lines.untilFinished()
        return (status, running.lines.all)
    }

    /// If the signal had an effect, a logout would end the command in spite of nohup.
    ///
    /// The command must ignore the signal, too, and the tool must not forward it.
    @Test(arguments: ["HUP", "INT", "TERM"])
    func `a signal that the tool ignores has no effect on the command`(signal: String) async throws
    {
        let run = try await Self.run(
            ignoring: signal, "kill -\(signal) $PPID; kill -\(signal) $$; echo alive")
        #expect(run.status == 0)
        #expect(run.lines == ["alive"])
    }

    /// The kernel discards the status of a child whose parent ignores SIGCHLD.
    @Test func `the status is that of the command if the tool's parent ignores SIGCHLD`()
        async throws
    {
        #expect(try await Self.run(ignoring: "CHLD", "exit 7").status == 7)
    }

    @Test func `a command's end is notified with a button that opens the log`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let log = "\(bus.directory)/it's a log"
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--log", log, "--", "sh", "-c", "exit 3"],
            environment: bus.environment)
        #expect(run.status == 3, "\(run.errors)")
        let shown = try await server.calls.first("the popup") { _ in true }
        #expect(shown.summary == "sh -c 'exit 3' failed")
        #expect(shown.body.hasPrefix("after 0 s, exit code 3"))
        #expect(shown.actions.map(\.label).first == "Open log")
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--delivered", "--json", "--commands"],
            environment: bus.environment)
        #expect(list.output.contains(#""click":["xdg-open","\#(log)"]"#), "\(list.output)")
        await server.stop()
    }

    /// A shell reports a signal as an exit code above 128, which a command may also return.
    @Test(arguments: [("exit 143", "exit code 143"), ("kill -TERM $$", "ended by signal 15")])
    func `the popup distinguishes an exit code from a signal`(
        script: String, ending: String
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--", "sh", "-c", script], environment: bus.environment)
        #expect(run.status == 143, "\(run.errors)")
        let shown = try await server.calls.first("the popup") { _ in true }
        #expect(shown.body.contains(ending), "\(shown.body)")
        await server.stop()
    }

    /// Returns the popup and the messages of `run`.
    ///
    /// The server draws a button for the default action.
    private static func shown(
        _ arguments: [String], adding variables: [String: String] = [:]
    ) async throws -> (NotifyCall, String) {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.information = ["dunst", "knopwob", "1.9.0", "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let run = try await ProgramTests.run(
            "tocsin", ["run"] + arguments,
            environment: bus.environment.merging(variables) { $1 })
        #expect(run.status == 0, "\(run.errors)")
        let call = try await server.calls.first("the popup") { _ in true }
        await server.stop()
        return (call, run.errors)
    }

    @Test func `run takes the options of send for a popup's look`() async throws {
        let (call, errors) = try await Self.shown([
            "-t", "500", "-u", "critical", "-i", "bell", "--id", "build", "-a", "Builder", "--",
            "true",
        ])
        #expect(errors.isEmpty)
        #expect(call.timeout == 500)
        #expect(call.hints["urgency"] == .byte(2))
        #expect(call.appIcon == "bell")
        #expect(call.appName == "Builder")
        #expect(call.actions.isEmpty, "a click on the popup does nothing")
    }

    @Test func `run writes the command file only to remove a command`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let folder = try #require(bus.environment["XDG_STATE_HOME"]) + "/tocsin"
        func tocsin(_ arguments: String...) async throws {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(run.errors)")
        }
        func files() -> [String] {
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.contains("commands.") }
        }
        try await tocsin("run", "--id", "build", "--", "true")
        #expect(files().isEmpty)
        try await tocsin("send", "Build", "--id", "build", "--on-click", "true")
        let table = try #require(files().first { $0.hasSuffix("commands.jsonl") })
        #expect(try String(contentsOfFile: "\(folder)/\(table)", encoding: .utf8).contains("build"))
        try await tocsin("run", "--id", "build", "--", "true")
        #expect(try String(contentsOfFile: "\(folder)/\(table)", encoding: .utf8).isEmpty)
        await server.stop()
    }

    /// If no run deleted the commands of earlier runs, these would fill the file.
    @Test func `a later run deletes the log command of a notification that is gone`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let state = try #require(bus.environment["XDG_STATE_HOME"]) + "/tocsin"
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let gone = (0..<70).map { number in
            var commands = ClickCommands(
                key: NotificationKey(app: .tocsin, identifier: "gone\(number)"), directory: "/",
                created: Instant(microseconds: 0))
            commands.click = .shell(":")
            return commands.line + "\n"
        }
        let path = state + "/commands.jsonl"
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(gone.joined().utf8),
                attributes: [.posixPermissions: 0o600]))
        try await InstallationTests.withFolder { folder in
            for name in ["work", "gio"] {
                try await ShellScript.write("exit 0", to: "\(folder)/\(name)")
            }
            let options = ["--log", "\(folder)/log", "--id", "build"]
            let run = try await ProgramTests.run(
                "tocsin", ["run"] + options + ["--", "\(folder)/work"],
                environment: bus.environment.merging(["PATH": folder]) { $1 })
            #expect(run.status == 0, "\(run.errors)")
        }
        let table = CommandTable(text: try String(contentsOfFile: path, encoding: .utf8))
        #expect(table.entries.map(\.key.identifier) == ["build"])
        await server.stop()
    }

    @Test func `run adds no button for the log if no program can open files`()
        async throws
    {
        try await InstallationTests.withFolder { folder in
            try await ShellScript.write("exit 0", to: "\(folder)/work")
            let arguments = ["--log", "\(folder)/log", "--", "\(folder)/work"]
            let (call, errors) = try await Self.shown(arguments, adding: ["PATH": folder])
            #expect(call.actions.isEmpty)
            #expect(errors.contains("the log is not opened by a click"), "\(errors)")
            #expect(errors.contains("Install the package xdg-utils"))
            // `gio` can open the log in place of xdg-open.
            try await ShellScript.write("exit 0", to: "\(folder)/gio")
            let (other, silence) = try await Self.shown(arguments, adding: ["PATH": folder])
            #expect(other.actions.map(\.label) == ["Open log", "Open"])
            #expect(silence.isEmpty, "\(silence)")
        }
    }

    @Test(
        arguments: [
            (["make", "-j2", "a=b"], "make -j2 a=b"), (["sh", "-c", "exit 3"], "sh -c 'exit 3'"),
            (["echo", "it's", "", "$x"], #"echo 'it'\''s' '' '$x'"#),
        ])
    func `the title has the command as the user would type it`(command: [String], text: String) {
        let outcome = RunOutcome(command: command, status: 0, seconds: 0)
        #expect(outcome.title == text + " is done")
    }

    @Test(
        arguments: [
            (0, 0, 61, "make is done", "after 1 min 1 s, exit code 0"),
            (2, 0, 0.2, "make failed", "after 0 s, exit code 2"),
            (137, 9, 3_600, "make failed", "after 1 h, ended by signal 9"),
            (130, 0, 0, "make failed", "after 0 s, exit code 130"),
        ] as [(Int32, Int32, Double, String, String)])
    func `the popup of run says the outcome, the duration, and the exit code or the signal`(
        status: Int32, signal: Int32, seconds: Double, title: String, text: String
    ) {
        let outcome = RunOutcome(
            command: ["make"], status: status, signal: signal, seconds: seconds)
        #expect(outcome.title == title)
        #expect(outcome.text == text)
    }

    @Test func `a long command is cut in the popup's title`() {
        let outcome = RunOutcome(
            command: ["echo", String(repeating: "x", count: 100), "\u{1B}"], status: 0, seconds: 0)
        #expect(outcome.title.count == 60 + "… is done".count)
        #expect(!outcome.title.contains("\u{1B}"))
    }
}
