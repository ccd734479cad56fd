import DesktopBus
import Foundation
import TestSupport
import Testing

/// The built programs, as the user runs them.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    /// The exit status and the output of a run.
    struct Run {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The directory of the built programs, which is that of the test bundle.
    static var products: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let test = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? link ?? ""
        return URL(filePath: test).deletingLastPathComponent().path
    }

    static func run(
        _ program: String, _ arguments: [String], environment: [String: String]
    ) async throws -> Run {
        let running = try RunningProgram(
            "\(products)/\(program)", arguments, environment: environment)
        let status = try await running.exit()
        try await running.lines.untilFinished()
        let output = running.lines.all.joined(separator: "\n")
        let errors = running.said.dropFirst(output.isEmpty ? 0 : output.count + 1)
        return Run(status: status, output: output, errors: String(errors))
    }

    private static var noBus: [String: String] {
        ["HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    }

    @Test(
        arguments: [
            (["--version"], 0), (["--help"], 0), (["help", "send"], 0), (["send", "--help"], 0),
            ([], 0), (["send"], 64), (["send", "a", "--frob"], 64),
            (["send", "a", "-h", "x"], 64), (["send", "a", "--attach", "/nonexistent.png"], 65),
            (["schedule", "a", "--in", "10"], 65), (["schedule", "a", "--at", "tomorow"], 65),
            (["schedule", "a", "--at", "2001-01-01 8am"], 65), (["send", "a"], 75),
            (["schedule", "a", "--in", "1m", "--app", "b"], 75), (["list", "--delivered"], 75),
            (["doctor", "--json"], 75), (["settings"], 75), (["settings", "a", "--deny"], 75),
            (["settings", "--allow"], 64), (["settings", "a", "--allow", "--deny"], 64),
            (["settings", "--open"], 64), (["settings", "a", "--open", "--deny"], 64),
            (["settings", "--previews", "never"], 64), (["settings", "a", "--previews", "no"], 64),
            (["settings", "a", "--open", "--previews", "never"], 64),
            (["settings", "a", "--previews", "never"], 75),
            (["settings", "a", "--open"], 75), (["settings", "/"], 64), (["badge", "a", "x"], 64),
            (["badge", "a", "1"], 75),
        ] as [([String], Int32)])
    func `each command line has its documented exit status`(
        arguments: [String], status: Int32
    ) async throws {
        let run = try await Self.run("tocsin", arguments, environment: Self.noBus)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.isEmpty == (status != 0))
        if status != 0 { #expect(run.errors.hasPrefix("tocsin: ")) }
        let isTime = arguments.first == "schedule" && status == 65
        #expect(run.errors.split(separator: "\n").count == (status == 0 ? 0 : isTime ? 3 : 1))
    }

    private static let userBus = "/run/user/\(getuid())/bus"

    /// With a bus of the user the tool would find that bus, and show a popup to the user.
    @Test(
        .enabled(
            if: !FileManager.default.fileExists(atPath: userBus), "there is a bus at \(userBus)"))
    func `without any bus the error names dbus-run-session`() async throws {
        var environment = Self.noBus
        environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        environment["XDG_RUNTIME_DIR"] = "/nonexistent"
        let run = try await Self.run("tocsin", ["send", "a"], environment: environment)
        #expect(run.status == 75, "\(run.errors)")
        #expect(run.errors.contains("dbus-run-session"))
    }

    @Test func `an error before the command runs names the tool`() async throws {
        // Only descriptor 0 is free: the libraries need it to load, and the tool opens /dev/null at
        // it.
        let shell = try RunningProgram(
            "sh", ["-c", "exec <&-; ulimit -n 3; exec '\(Self.products)/tocsin' --version"],
            environment: Self.noBus)
        #expect(try await shell.exit() == 1)
        #expect(shell.said.hasPrefix("tocsin: There is no descriptor"), "\(shell.said)")
    }

    @Test func `a text that is not UTF-8 is refused`() async throws {
        let shell = try RunningProgram(
            "sh", ["-c", "'\(Self.products)/tocsin' send \"$(printf 'a\\377')\""],
            environment: Self.noBus)
        #expect(try await shell.exit() == 64)
        #expect(shell.said.contains("Argument 2 is not valid UTF-8"))
    }

    @Test(arguments: [["--version"], ["--help"]])
    func `the daemon prints its version and its help`(arguments: [String]) async throws {
        let run = try await Self.run("tocsind", arguments, environment: Self.noBus)
        #expect(run.status == 0)
        #expect(!run.output.isEmpty)
        #expect(run.output.hasPrefix("USAGE: tocsind ") == (arguments == ["--help"]))
    }

    @Test(arguments: [["--frob"], ["--dev", "x"], ["serve"]])
    func `the daemon refuses unknown arguments`(arguments: [String]) async throws {
        let run = try await Self.run("tocsind", arguments, environment: Self.noBus)
        #expect(run.status == 64)
        #expect(run.errors.contains("tocsind --help"))
    }

    @Test func `without a server, send keeps nothing, and run keeps the result of its command`()
        async throws
    {
        let bus = try PrivateBus()
        let send = try await Self.run("tocsin", ["send", "a"], environment: bus.environment)
        #expect(send.status == 69)
        #expect(send.errors.contains("nothing was sent"))
        let list = try await Self.run(
            "tocsin", ["list", "--json"], environment: bus.environment)
        #expect(list.status == 0)
        #expect(list.output.isEmpty)
        let doctor = try await Self.run("tocsin", ["doctor"], environment: bus.environment)
        #expect(doctor.status == 69)
        // `run` keeps the result of its command until a server runs.
        let run = try await Self.run("tocsin", ["run", "--", "true"], environment: bus.environment)
        #expect(run.status == 0)
        #expect(run.errors.contains("is shown when one does"), "\(run.errors)")
        let kept = try await Self.run(
            "tocsin", ["list", "--json"], environment: bus.environment)
        #expect(kept.output.contains(#""title":"true"#), "\(kept.output)")
    }

    @Test func `a request is scheduled, listed and removed`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> Run {
            try await Self.run("tocsin", arguments, environment: bus.environment)
        }
        let schedule = try await tocsin(
            "schedule", "--in", "10m", "--id", "tea", "-A", "yes=Yes", "--", "-Tea-")
        #expect(schedule.status == 0, "\(schedule.errors)")
        #expect(schedule.output.hasPrefix("tea: "))
        #expect(schedule.output.hasSuffix("(in 10 min)"))
        let list = try await tocsin("list", "--json")
        #expect(list.output.contains(#""id":"tea","app":"org.tocsin.Tocsin","title":"-Tea-""#))
        #expect(list.output.contains(#""trigger":{"kind":"interval","seconds":600,"#))
        let every = try await tocsin("every", "weekday at 9:30", "--id", "standup", "Stand", "up")
        #expect(every.status == 0, "\(every.errors)")
        #expect(every.output.hasPrefix("standup: every weekday at 09:30, next "))
        let cut = try await tocsin("every", "weekday", "at", "9:30", "Stretch")
        #expect(cut.status == 64)
        #expect(cut.errors.contains("tocsin every \"weekday at 9:30\""), "\(cut.errors)")
        let rules = try await tocsin("list", "--json")
        #expect(!rules.output.contains("Stretch"))
        #expect(rules.output.contains(#""title":"Stand up""#))
        #expect(
            rules.output.contains(
                #""trigger":{"kind":"rule","rule":"every weekday at 09:30","timeZone":null,"#))
        #expect(try await tocsin("list").output.contains("every weekday at 09:30"))
        #expect(try await tocsin("remove", "standup").status == 0)
        #expect(try await tocsin("list", "--app", "org.other", "--json").output.isEmpty)
        #expect(try await tocsin("remove", "nothing").status == 1)
        #expect(try await tocsin("remove", "te").status == 0)
        #expect(try await tocsin("list", "--json").output.isEmpty)
    }

    /// The two forms of "é" are equal texts in Swift, and different texts in the store.
    @Test func `identifiers that look the same but differ in bytes are different`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> Run {
            try await Self.run("tocsin", arguments, environment: bus.environment)
        }
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names {
            let schedule = try await tocsin("schedule", "--in", "10m", "--id", name, "Tea")
            #expect(schedule.status == 0, "\(schedule.errors)")
        }
        let ambiguous = try await tocsin("remove", "caf")
        #expect(ambiguous.status == 1)
        #expect(ambiguous.errors.contains("may mean 2 notifications"), "\(ambiguous.errors)")
        #expect(try await tocsin("remove", names[0], names[1]).status == 0)
        #expect(try await tocsin("list", "--json").output.isEmpty)
    }

    @Test func `the user's decision about an app is listed, obeyed and undone`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        func tocsin(_ arguments: String...) async throws -> Run {
            try await Self.run("tocsin", arguments, environment: bus.environment)
        }
        #expect(try await tocsin("settings", "--json").output.isEmpty)
        let denied = try await tocsin("settings", "dev.backup", "--deny")
        #expect(denied.status == 0, "\(denied.errors)")
        #expect(denied.errors.contains("no app 'dev.backup' is known"), "\(denied.errors)")
        #expect(denied.output.contains("dev.backup") && denied.output.contains("denied"))
        #expect(
            try await tocsin("settings", "--json").output
                == #"{"app":"dev.backup","name":"","status":"denied","options":[],"#
                + #""previews":"whenAuthenticated"}"#)
        for (value, word) in [("never", "never"), ("when-unlocked", "whenAuthenticated")] {
            for name in ["dev.backup", "dev.other"] {
                let set = try await tocsin("settings", name, "--previews", value, "--json")
                #expect(set.output.contains("\"previews\":\"\(word)\""), "\(set.errors)")
            }
        }
        let refused = try await tocsin("send", "-a", "Backup", "Done")
        #expect(refused.status == 77)
        #expect(refused.errors.contains("tocsin settings dev.backup --allow"))
        #expect(try await tocsin("badge", "dev.backup", "1").status == 77)
        #expect(try await tocsin("send", "Others").status == 0)
        #expect(try await tocsin("settings", "dev.backup", "--reset").status == 0)
        let again = try await tocsin("settings", "dev.backup", "--json")
        #expect(again.output.contains(#""status":"notNeeded""#))
        #expect(try await tocsin("send", "-a", "Backup", "Done").status == 0)
        #expect(try await tocsin("badge", "dev.backup", "1").status == 0)
        #expect(try await tocsin("badge", "dev.backup", "2147483648").status == 65)
        try await server.calls.first("the popup") { $0.summary == "Done" }
        await server.stop()
    }

    /// Returns when the sender of a recorded popup has received its id.
    ///
    /// The server answers in order, so its answer to us follows its answer to the sender. An
    /// earlier click would name an id that no program knows yet.
    static func settle(_ server: ScriptedServer, _ bus: PrivateBus) async throws {
        let connection = try await BusConnection.open(on: bus, name: "observer")
        _ = try await connection.call(
            MethodCall(
                destination: "org.freedesktop.Notifications",
                path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications",
                member: "GetCapabilities"))
        await connection.close()
    }

    /// Returns the popup of this title when its sender has received its id.
    static func shown(
        _ title: String, on server: ScriptedServer, _ bus: PrivateBus
    ) async throws -> NotifyCall {
        let shown = try await server.calls.first("the popup") { $0.summary == title }
        try await settle(server, bus)
        return shown
    }

    @Test func `a clicked button ends the wait with its action`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let send = try RunningProgram(
            "\(Self.products)/tocsin",
            ["send", "Ask", "-A", "yes=Yes", "-A", "No", "-w", "--json"],
            environment: bus.environment)
        let shown = try await Self.shown("Ask", on: server, bus)
        #expect(shown.actions.map(\.label).prefix(2) == ["Yes", "No"])
        try await server.click(shown.id, shown.actions[0].key)
        #expect(try await send.exit() == 0, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.said.contains(#""outcome":"action","action":"yes","reply":null}"#))
        await server.stop()
    }

    @Test func `a notification under Do Not Disturb is reported as delivered and as not shown`()
        async throws
    {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities.append("inhibitions")
        script.isInhibited = true
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try await Self.run(
            "tocsin", ["send", "Two", "--id", "two"], environment: bus.environment)
        #expect(send.status == 0, "\(send.errors)")
        _ = try await Self.shown("Two", on: server, bus)
        let show = try await Self.run("tocsin", ["show", "two"], environment: bus.environment)
        #expect(show.output.contains("Not shown     Do Not Disturb is on"), "\(show.output)")
        let wrong = try await Self.run("tocsin", ["remove", "tw"], environment: bus.environment)
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("was delivered. Add '--delivered'"), "\(wrong.errors)")
        let right = try await Self.run(
            "tocsin", ["remove", "tw", "--delivered"], environment: bus.environment)
        #expect(right.status == 0, "\(right.errors)")
        await server.stop()
    }

    @Test func `a wait ends with status 2 after a dismissal, and with status 3 without an answer`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let wait = try RunningProgram(
            "\(Self.products)/tocsin", ["send", "Ask", "--wait"], environment: bus.environment)
        let shown = try await Self.shown("Ask", on: server, bus)
        try await server.close(shown.id, reason: 2)
        #expect(try await wait.exit() == 2, "\(wait.said)")
        let late = try await Self.run(
            "tocsin", ["send", "Late", "-w", "-t", "1", "--json"], environment: bus.environment)
        #expect(late.status == 3)
        #expect(late.output.contains(#""outcome":"timeout""#))
        await server.stop()
    }

    /// A line that is no JSON would end a program that reads the output.
    @Test(arguments: [["send", "Tea"], ["in", "1h", "Tea"], ["send", "Tea", "-w", "-t", "1"]])
    func `with --json, the output has no other line, in spite of --print-id`(
        arguments: [String]
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let run = try await Self.run(
            "tocsin", arguments + ["--json", "-p", "--id", "t"], environment: bus.environment)
        #expect(run.output.hasPrefix(#"{"id":"t","#) || run.output == #"{"id":"t"}"#)
        #expect(!run.output.contains("\n"), "\(run.output)")
        await server.stop()
    }

    @Test func `a sent notification is shown unchanged`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let run = try await Self.run(
            "tocsin",
            [
                "send", "-a", "Backup", "-u", "critical", "-h", "int:value:40", "-p", "100% <b>",
                "%s",
            ],
            environment: bus.environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.count == 8)
        let shown = try await server.calls.first("the popup") { _ in true }
        #expect(shown.appName == "Backup")
        #expect(shown.summary == "100% <b>")
        #expect(shown.body == "%s")
        #expect(shown.hints["urgency"] == .byte(2))
        #expect(shown.hints["value"] == .int32(40))
        await server.stop()
    }
}
