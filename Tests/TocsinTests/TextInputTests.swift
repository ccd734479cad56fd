import DesktopBus
import Foundation
import NotificationModel
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// Texts from standard input, replies, and the targets of clicks.
@Suite(.timeLimit(.minutes(5))) struct TextInputTests {
    private static func texts(
        _ summary: String, _ body: String, input: String
    ) throws -> (String, String) {
        try StandardInput.texts(summary, body) { () throws(ToolError) in Array(input.utf8) }
    }

    @Test(
        arguments: [
            ("-", "", "one\n", "one", ""), ("-", "", "one\n\ntwo\nthree\n", "one", "two\nthree"),
            ("-", "given", "one\ntwo", "one", "given"), ("t", "-", "a\nb\n\n", "t", "a\nb"),
            ("t", "b", "unread", "t", "b"), ("--", "", "unread", "--", ""),
            ("-", "", "\r\nx", "", "x"),
        ])
    func `a dash stands for the text of standard input`(
        summary: String, body: String, input: String, title: String, text: String
    ) throws {
        #expect(try Self.texts(summary, body, input: input) == (title, text))
    }

    @Test func `two dashes are refused before standard input is read`() throws {
        let error = try #require(throws: ToolError.self) {
            try StandardInput.texts("-", "-") { () throws(ToolError) in
                Issue.record("standard input was read")
                return []
            }
        }
        #expect(error.status == .usage)
        #expect(error.message.contains("both '-'"))
    }

    @Test func `an input that is empty, too long or not UTF-8 is refused`() throws {
        for input in ["", "\n \n"] {
            let error = try #require(throws: ToolError.self) {
                try Self.texts("-", "", input: input)
            }
            #expect(error.status == .data)
        }
        let long = String(repeating: "x", count: 10_000_000)
        let error = try #require(throws: ToolError.self) { try Self.texts("t", "-", input: long) }
        #expect(error.status == .data)
        #expect(error.message.contains("240000 bytes"))
        let invalid = try #require(throws: ToolError.self) {
            try StandardInput.texts("t", "-") { () throws(ToolError) in [0x61, 0xFF] }
        }
        #expect(invalid.message.contains("not valid UTF-8"))
    }

    @Test func `a command with a time reads piped text up to its limit`() async throws {
        let bus = try PrivateBus()
        func shell(_ line: String) async throws -> (Int32, String) {
            let running = try RunningProgram(
                "sh", ["-c", line.replacing("tocsin", with: "'\(ProgramTests.products)/tocsin'")],
                environment: bus.environment)
            return (try await running.exit(), try await running.allSaid())
        }
        let (status, said) = try await shell(
            "printf 'Call Anna\\nabout tea' | tocsin at 'tomorrow 8am' - --id a --json")
        #expect(status == 0)
        #expect(said.contains(#""title":"Call Anna","subtitle":"","body":"about tea""#))
        let (second, text) = try await shell(
            "printf 'piped' | tocsin in 5m Two words - --id b --json")
        #expect(second == 0)
        #expect(text.contains(#""title":"Two words","subtitle":"","body":"piped""#))
        let (large, problem) = try await shell(
            "head -c 10000000 /dev/zero | tr '\\0' x | tocsin in 5m Title - --json")
        #expect(large == 65)
        #expect(problem.contains("240000 bytes"))
        let (largest, _) = try await shell(
            "head -c 240000 /dev/zero | tr '\\0' x | tocsin in 5m Title -")
        #expect(largest == 0)
    }

    /// Nobody would see such a notification.
    @Test(arguments: [
        [""], [" ", ""], ["", "--subtitle", ""], ["", "--sound", "bell", "--wait"],
    ])
    func `a notification without any text is not sent`(arguments: [String]) async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["send"] + arguments,
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(run.status == 64)
        #expect(run.errors.contains("The title is empty; nothing was sent"), "\(run.errors)")
    }

    /// If an empty popup were sent, `--wait` would wait for the answer to a popup that nobody sees.
    @Test(arguments: ["send '' -", "send '' - --sound bell --wait", "schedule '' - --in 5m"])
    func `a notification whose only text is an empty input is not sent`(
        command: String
    ) async throws {
        let running = try RunningProgram(
            "sh", ["-c", "'\(ProgramTests.products)/tocsin' \(command) </dev/null"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(try await running.exit() == 65)
        let said = try await running.allSaid()
        #expect(said.contains("Standard input is empty"), "\(said)")
    }

    // MARK: Options

    private static func send(_ arguments: [String]) throws -> SendCommand {
        guard case .command(let command) = try Invocation.parse(["send"] + arguments),
            let send = command as? SendCommand
        else { throw ToolError(.failure, "not a send command") }
        return send
    }

    @Test func `a subtitle and a thread name may begin with a minus sign`() throws {
        let content = try Self.send(["a", "--subtitle", "-5 °C", "--thread", "-t"]).content
        #expect(content.subtitle == "-5 °C" && content.thread == "-t")
    }

    @Test(arguments: [["a", "--reply"], ["a", "--reply", "-w"]])
    func `the option --reply adds a button that takes text`(arguments: [String]) throws {
        let buttons = try Self.send(arguments).content.buttons()
        #expect(buttons == [ActionOption.reply("")])
        #expect(buttons.first?.textInput?.buttonTitle == "Send")
    }

    @Test func `the value of --reply is the placeholder of the text field`() throws {
        let buttons = try Self.send(["a", "--reply=Your name", "--wait"]).content.buttons()
        #expect(buttons.first?.textInput?.placeholder == "Your name")
        let error = try #require(throws: ToolError.self) {
            try Self.send(["--reply", "Title"])
        }
        #expect(error.message.contains("Write '--reply' after the title"))
        #expect(throws: ToolError.self) {
            try Self.send(["a", "--reply", "-A", "reply=Yes"]).content.buttons()
        }
    }

    @Test(
        arguments: [
            ("https://example.org/a'b", "https://example.org/a'b"), ("mailto:a@b", "mailto:a@b"),
            ("https://x/'\u{301};id", "https://x/'\u{301};id"), ("/a b", "/a b"),
            ("a.txt", "/tmp/a.txt"), ("-x", "/tmp/-x"), ("$(x)", "/tmp/$(x)"), ("1:x", "/tmp/1:x"),
        ])
    func `the option --open makes a click open an address or a file`(
        text: String, target: String
    ) throws {
        let send = try Self.send(["a", "--open", text])
        let key = NotificationKey(app: .tocsin, identifier: "a")
        let commands = try send.content.commands.commands(
            of: key, actions: [], in: CommandLineTests.environment)
        #expect(commands?.click == ClickCommand(["xdg-open", target]))
    }

    @Test func `the option --open makes a click open a file with a colon in its name`()
        async throws
    {
        try await InstallationTests.withFolder { directory in
            let path = directory + "/log-12:30.txt"
            try Data().write(to: URL(filePath: path))
            let environment = ToolEnvironment(
                variables: [:], directory: directory, reactor: Reactor.hosted("unused"))
            for (text, target) in [
                ("log-12:30.txt", path), ("log-12:31.txt", "log-12:31.txt"),
            ] {
                let commands = try Self.send(["a", "--open", text]).content.commands.commands(
                    of: NotificationKey(app: .tocsin, identifier: "a"), actions: [],
                    in: environment)
                #expect(commands?.click == ClickCommand(["xdg-open", target]))
            }
        }
    }

    @Test(arguments: [
        ["a", "--open", "x", "--on-click", "y"], ["a", "--open", "x", "-w"],
        ["a", "--open", "x", "--app", "org.x"], ["a", "--id", "x", "--replace-id", "y"],
        ["a", "--replace-id", ""],
    ])
    func `options that exclude each other are refused`(arguments: [String]) throws {
        let error = try #require(throws: ToolError.self) { try Self.send(arguments) }
        #expect(error.status == .usage)
    }

    @Test(
        arguments: [
            ("default", NotificationSound(.standard)), ("bell", NotificationSound(.named("bell"))),
            ("/a/b.wav", NotificationSound(.named("/a/b.wav"))),
            ("./b.wav", NotificationSound(.named("/tmp/./b.wav"))),
        ])
    func `the value of --sound is a name or a file`(text: String, sound: NotificationSound) throws {
        let send = try Self.send(["a", "--sound", text, "-r", "me"])
        let request = try send.content.outgoing(send.texts, in: CommandLineTests.environment)
            .request
        #expect(request.content.sound == sound)
        #expect(request.identifier == "me")
    }

    @Test func `a typed answer is printed`() async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities += ["inline-reply"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["send", "Name?", "--reply=Anna", "--wait"],
            environment: bus.environment)
        let shown = try await ProgramTests.shown("Name?", on: server, bus)
        #expect(shown.hints["x-kde-reply-placeholder-text"] == .string("Anna"))
        try await server.reply(shown.id, "Ben")
        #expect(try await send.exit() == 0, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.lines.all == ["Ben"])
        await server.stop()
    }
}
