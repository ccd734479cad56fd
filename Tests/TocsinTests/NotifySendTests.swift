import DesktopBus
import Foundation
import TestSupport
import Testing

@testable import tocsin

/// The tool under the name notify-send, compared with notify-send itself.
@Suite(.timeLimit(.minutes(5))) struct NotifySendTests {
    /// The result of one of the two programs.
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var errors: String
        var calls: [String]
    }

    /// Returns a `Notify` call as text, with sorted hints.
    ///
    /// The caller's process number differs in each run, so the text replaces it.
    private static func text(_ call: NotifyCall) -> String {
        let hints = call.hints.sorted { $0.key < $1.key }.map { name, value in
            let isOwn = name == "sender-pid" && value.int64Value != nil
            return "\(name)=\(isOwn ? "pid" : "\(value)")"
        }
        let actions = call.actions.map { "\($0.key):\($0.label)" }
        return "\(call.appName)|\(call.replacesID)|\(call.appIcon)|\(call.summary)|\(call.body)|"
            + "\(actions)|\(hints)|\(call.timeout)"
    }

    /// Runs a program with a private server; `body` acts as the user.
    private static func run(
        _ program: String, _ arguments: [String], capabilities: [String] = ["actions", "body"],
        body: (ScriptedServer, PrivateBus, RunningProgram) async throws -> Void = { _, _, _ in }
    ) async throws -> Outcome {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities = capabilities
        let server = try await ScriptedServer.start(on: bus, script: script)
        let running = try RunningProgram(program, arguments, environment: bus.environment)
        try await body(server, bus, running)
        let status = try await running.exit()
        try await running.lines.untilFinished()
        let said = running.lines.all.joined(separator: "\n")
        let errors = running.said.dropFirst(said.isEmpty ? 0 : said.count + 1)
        // The program names itself by the path with which it was called.
        let path = RunningProgram.path(of: program) ?? program
        let output = said.replacingOccurrences(of: path, with: "notify-send")
        let calls = server.calls.all.map(text)
        await server.stop()
        return Outcome(
            status: status, output: output,
            errors: errors.trimmingCharacters(in: .newlines), calls: calls)
    }

    /// Runs `body` with the path of a link to the tool; the link is named `notify-send`.
    private static func withLink(_ body: (String) async throws -> Void) async throws {
        try await InstallationTests.withFolder { directory in
            let link = "\(directory)/notify-send"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "\(ProgramTests.products)/tocsin")
            try await body(link)
        }
    }

    static let isInstalled = RunningProgram.path(of: "notify-send") != nil

    @Test(
        .enabled(if: NotifySendTests.isInstalled, "notify-send is not installed"),
        arguments: [
            ["a"], ["a", "b"], ["-u", "critical", "-t", "5", "-i", "face", "-a", "App", "a", "b"],
            ["-c", "x,y", "-e", "a"], ["-u", "LOW", "a"], ["-p", "a"], ["-p", "-r", "7", "a"],
            ["-t", "0x10", "a"], ["-t", "-1", "a"], ["-pe", "a"], ["-te", "5", "a"],
            ["a", "-u", "low", "b"], ["a", "--", "-b"], ["--", "-a"], ["-"], ["--app-name=", "a"],
            ["--transient=no", "a"], ["-i", "rel/x.png", "a"], ["a<b>", "x & <b>y</b>\n2"],
            // Escapes are decoded in the text, and not in the title.
            [#"a\nb"#, #"one\ntwo\tC:\\dir \"q\" \x \b\f\r\v"#],
            ["a", #"\303\2511 \1011 \501 \8 \7"#], ["a", #"one\0two"#], ["a", #"\000"#],
            ["-h", "int:a:5x", "-h", "double:b:1.5", "-h", "string:c:x:y", "a"],
            ["-h", "boolean:a:TRUE", "-h", "byte:b:x", "-h", "STRING:d:e", "a"],
            ["-h", "string:a:", "a"], ["-h", "byte:urgency:2", "a"],
            ["-h", "string:sender-pid:5", "a"], ["-h", "int:a:99999999999", "a"],
            ["-h", "variant:a:[1,2]", "-h", "variant:b:uint32 5", "-h", "variant:c:<'x'>", "a"],
            ["-h", "variant:a:{'k': <5>}", "-h", "variant:b:(1,'x')", "a"],
            ["-h", "variant:a:@as []", "-h", "variant:b:byte 0x10", "-h", "variant:c:1.5", "a"],
            ["-h", "variant:a:@a{sv} {}", "-h", #"variant:b:'\u00e9\r'"#, "a"],
            // Unusable arguments.
            [], [""], ["a", "b", "c"], ["-u", "loud", "a"], ["-t", "soon", "a"],
            ["-t", "99999999999", "a"], ["-t", "", "a"], ["-h", "x", "a"], ["-h", "int:a:-5", "a"],
            ["-h", "long:a:1", "a"], ["-h", "byte:a:256", "a"], ["-h", "variant:a:[]", "a"],
            ["-u"], ["--action"], ["--frob", "a"], ["-z", "a"], ["-tr", "5", "a"],
            ["-t5", "6", "a"],
            ["--expire-time=x", "a"], ["-h", "x", "-h", "int:a:y", "a"], ["--version"], ["-pv"],
        ])
    func `the tool under the name notify-send has the same effect as notify-send`(
        arguments: [String]
    ) async throws {
        try await Self.withLink { link in
            let theirs = try await Self.run("notify-send", arguments)
            let ours = try await Self.run(link, arguments)
            #expect(ours == theirs)
            #expect(
                theirs.calls.count == (theirs.status == 0 && theirs.output.first != "n" ? 1 : 0))
        }
    }

    @Test(
        .enabled(if: NotifySendTests.isInstalled, "notify-send is not installed"),
        arguments: [
            ["-A", "yes=Yes", "-A", "No", "Ask"], ["-A", " x = y ", "-p", "Ask"], ["-w", "Ask"],
        ])
    func `the tool and notify-send wait for an answer and print the same output`(
        arguments: [String]
    ) async throws {
        try await Self.withLink { link in
            var outcomes: [Outcome] = []
            for program in ["notify-send", link] {
                let outcome = try await Self.run(program, arguments) { server, bus, _ in
                    let call = try await server.calls.first("the popup") { _ in true }
                    // A click must name an id that the sender has already received.
                    try await ProgramTests.settle(server, bus)
                    if let action = call.actions.first {
                        try await server.click(call.id, action.key)
                    } else {
                        try await server.close(call.id, reason: 2)
                    }
                }
                outcomes.append(outcome)
            }
            #expect(outcomes[0].status == 0)
            #expect(outcomes[1] == outcomes[0])
        }
    }

    @Test(.enabled(if: NotifySendTests.isInstalled, "notify-send is not installed"))
    func `on a server without buttons the tool acts as notify-send and ends with status 1`()
        async throws
    {
        try await Self.withLink { link in
            let theirs = try await Self.run(
                "notify-send", ["-A", "x", "a"], capabilities: ["body"])
            let ours = try await Self.run(link, ["-A", "x", "a"], capabilities: ["body"])
            #expect(ours == theirs)
            #expect(ours.status == 1)
        }
    }

    @Test(.enabled(if: NotifySendTests.isInstalled, "notify-send is not installed"))
    func `an interrupt ends the wait and closes the popup`() async throws {
        try await Self.withLink { link in
            for program in ["notify-send", link] {
                let interrupted = try await Self.run(program, ["-w", "a"]) { server, bus, running in
                    _ = try await server.calls.first("the popup") { _ in true }
                    try await ProgramTests.settle(server, bus)
                    try await Self.handles(SIGINT, running.processIdentifier)
                    running.signal(SIGINT)
                    try await server.closings.wait(for: "the end of the popup") { !$0.isEmpty }
                }
                #expect(interrupted.errors == "Wait cancelled, closing notification")
                #expect(interrupted.status == 0)
            }
        }
    }

    /// Waits until a program handles a signal.
    ///
    /// The program handles the signal only after the reply to its call. An earlier signal would end
    /// the program.
    static func handles(_ signal: Int32, _ process: Int32) async throws {
        let bit = UInt64(1) << (signal - 1)
        try await polled(
            "the handler of a signal", because: "only /proc says which signals a program handles"
        ) {
            // SigCgt lists signals with a handler, and SigBlk the signals of a signalfd: see
            // proc(5).
            let masks = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
                .split(separator: "\n").filter {
                    $0.hasPrefix("SigCgt:") || $0.hasPrefix("SigBlk:")
                }
                .compactMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) }
            return masks.contains { $0 & bit != 0 } ? () : nil
        }
    }

    /// notify-send's manual promises this timeout, but version 0.8.1 waits until the popup closes.
    @Test func `a wait ends at its timeout`() async throws {
        try await Self.withLink { link in
            let late = try await Self.run(link, ["-w", "-t", "50", "a"])
            #expect(late.status == 0)
        }
    }

    @Test func `if -n gives the app icon, the icon of -i becomes the image`() async throws {
        try await Self.withLink { link in
            let run = try await Self.run(link, ["-n", "app", "-i", "picture", "a"])
            #expect(run.calls.count == 1)
            #expect(run.calls.first?.hasPrefix("notify-send|0|app|a||") == true)
            #expect(run.calls.first?.contains("image-path=") == true)
        }
    }

    @Test func `a post without a bus or a server fails with status 1`() async throws {
        try await Self.withLink { link in
            let noBus = try RunningProgram(
                link, ["-w", "a"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
            #expect(try await noBus.exit() == 1)
            let bus = try PrivateBus()
            let alone = try RunningProgram(link, ["-w", "a"], environment: bus.environment)
            #expect(try await alone.exit() == 1)
            #expect(alone.said.contains("org.freedesktop.Notifications"))
        }
    }

    @Test func `a wait ends when the server leaves the bus`() async throws {
        try await Self.withLink { link in
            let run = try await Self.run(link, ["-w", "a"]) { server, bus, _ in
                _ = try await server.calls.first("the popup") { _ in true }
                try await ProgramTests.settle(server, bus)
                await server.stop()
            }
            #expect(run.status == 1)
            #expect(run.errors == "The notification server or its bus has gone.")
        }
    }

    @Test func `an argument that is not UTF-8 is refused`() async throws {
        try await Self.withLink { link in
            let shell = try RunningProgram(
                "sh", ["-c", "exec \(link) \"$(printf 'a\\377')\""],
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
            #expect(try await shell.exit() == 1)
            #expect(shell.said == "Invalid byte sequence in conversion input\n")
        }
    }

    /// notify-send prints a warning about the backslash, and crashes if bytes are not UTF-8.
    @Test func `a backslash at the end is left out, and bytes that are not UTF-8 are refused`()
        throws
    {
        guard case .notification(let cut) = try NotifySendArguments.parse(["a", #"b\"#]) else {
            throw HarnessError("the words are no notification")
        }
        #expect(cut.body == "b")
        #expect(throws: NotifySendArguments.Failure("Invalid byte sequence in conversion input")) {
            try NotifySendArguments.parse(["a", #"\377"#])
        }
    }

    @Test(arguments: [
        "", "[", "[1,", "{", "{'a'", "{'a':", "(", "()", "<", "<1", "'", "'\\", "@", "@a",
        "@ai ['a']", "@aii []", "@a{sv} {1: <2>}", "@(ii) (1, 2, 3)", "{(1, 2): 3}",
        #"'\u00e'"#, #"'\u0000'"#, #"'\ud800'"#, "0x-5", "[byte 1, 256]", "infinity",
        "byte", "byte 256", "uint16 -1", "[1,'a']", "1 2", "nothing", "--1", "0x", "08", "[[]]",
        String(repeating: "[", count: 10_000), String(repeating: "<", count: 10_000),
    ])
    func `an unreadable variant is refused`(text: String) {
        #expect(GVariantParser.value(of: text) == nil)
    }

    @Test(
        arguments: [
            (
                #"'\u00e9\U0001f600\a\b\f\n\r\t\v\'\\\q'"#,
                .string("é😀\u{7}\u{8}\u{C}\n\r\t\u{B}'\\q")
            ),
            ("@a{sv} {}", .dictionary(key: "s", value: "v", [])),
            ("@s 'x'", .string("x")), ("@d 5", .double(5)), ("int64 -5", .int64(-5)),
            ("[byte 0x01, 0x02]", .array(element: "y", [.byte(1), .byte(2)])),
            (
                "{'a': uint32 1, 'b': 2}",
                .dictionary(
                    key: "s", value: "u",
                    [.init(.string("a"), .uint32(1)), .init(.string("b"), .uint32(2))])
            ),
            ("@(sd) ('a', 1)", .structure([.string("a"), .double(1)])),
            (
                "[objectpath '/', '/a']",
                .array(element: "o", [.objectPath("/"), .objectPath("/a")])
            ),
            ("-inf", .double(-.infinity)),
        ] as [(String, BusValue)])
    func `a variant is read as GLib prints it`(text: String, value: BusValue) {
        #expect(GVariantParser.value(of: text) == value)
    }
}
