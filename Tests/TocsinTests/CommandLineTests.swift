import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The meaning of command lines, and the messages about wrong command lines.
@Suite struct CommandLineTests {
    static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 5), zone: .fixed(0),
        reactor: Reactor.hosted("unused"))

    private static func send(_ arguments: [String]) throws -> SendCommand {
        // With `--level`, `Invocation` uses the full parser.
        guard
            case .command(let command) = try Invocation.parse(
                ["send", "--level=active"] + arguments),
            let send = command as? SendCommand
        else { throw ToolError(.failure, "not a send command") }
        return send
    }

    private static func request(
        _ arguments: [String], in environment: ToolEnvironment = Self.environment
    ) throws -> NotificationRequest {
        let send = try send(arguments)
        var content = send.content
        content.hints += send.hints
        return try content.outgoing(send.texts, in: environment).request
    }

    @Test(arguments: [["Title"], ["Title", "Body"], ["", "only a body"], ["a\nb", "tab\there"]])
    func `send without options makes the same request as the full parser`(words: [String]) throws {
        guard case .command(let command) = try Invocation.parse(["send"] + words) else {
            throw ToolError(.failure, "not a command")
        }
        let plain = try #require(command as? PlainSend).request(in: Self.environment)
        let other = try Self.request(words)
        #expect(plain.content == other.content)
        #expect(plain.trigger == other.trigger)
    }

    @Test(arguments: [["send"], ["send", "-x"], ["send", "a", "--"], ["send", "a", "b", "c"]])
    func `PlainSend takes neither options nor a wrong number of words`(arguments: [String]) {
        #expect(PlainSend(arguments) == nil)
    }

    @Test func `every option of send reaches the request`() throws {
        let request = try Self.request([
            "Title", "Body", "--subtitle", "Sub", "-u", "critical", "--level", "time-sensitive",
            "-t", "-1", "-i", "face-smile", "-c", "email.arrived", "-e", "--thread", "mail", "--id",
            "me", "-h", "int:value:40", "--hint", "string:x-a:b:c", "-h", "byte:y:255", "-h",
            "boolean:z:TRUE", "-h", "double:w:-0.5",
        ])
        #expect(request.identifier == "me")
        #expect(request.trigger == nil)
        let content = request.content
        #expect(content.title == "Title" && content.body == "Body" && content.subtitle == "Sub")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.threadIdentifier == "mail")
        let desktop = try #require(content.desktop)
        #expect(desktop.urgency == 2 && desktop.expireTimeout == -1 && desktop.isTransient)
        #expect(desktop.icon == "face-smile" && desktop.category == "email.arrived")
        #expect(
            desktop.hints == [
                "value": .integer(40), "x-a": .string("b:c"), "y": .byte(255), "z": .boolean(true),
                "w": .double(-0.5),
            ])
    }

    /// The daemon would overwrite the hint with the urgency of the level.
    @Test(
        arguments: [
            ["-h", "byte:urgency:2"], ["--hint", "int:urgency:2"],
            ["-u", "critical", "-h", "byte:urgency:0"],
        ])
    func `a hint of the urgency sets the urgency, and --urgency takes precedence`(
        arguments: [String]
    ) throws {
        let desktop = try #require(try Self.request(["Title"] + arguments).content.desktop)
        #expect(desktop.urgency == 2 && desktop.hints.isEmpty)
    }

    @Test(arguments: ["byte:urgency:3", "int:urgency:-1", "string:urgency:critical"])
    func `a hint of an unknown urgency is refused`(text: String) throws {
        let error = try #require(throws: ToolError.self) {
            try Self.request(["Title", "--hint", text])
        }
        #expect(error.status == .usage && error.message.contains("'--urgency critical'"))
    }

    @Test(
        arguments: [
            (["--", "-5 degrees"], "-5 degrees", ""), (["--", "--help", "-x"], "--help", "-x"),
            (["100% %s %n"], "100% %s %n", ""), ([""], "", ""), (["a", ""], "a", ""),
            (["two\nlines\tand\u{7}a bell\u{1B}[31m"], "two\nlines\tanda bell[31m", ""),
            (["Tüü 日本 👩‍👩‍👧"], "Tüü 日本 👩‍👩‍👧", ""),
        ])
    func `title and body are taken literally, without control characters`(
        arguments: [String], title: String, body: String
    ) throws {
        let content = try Self.request(arguments).content
        #expect(content.title == title)
        #expect(content.body == body)
    }

    /// The daemon has another working directory, and it searches the sound theme for a name without
    /// a path.
    @Test(
        arguments: [
            ("tea.PNG", "FOLDER/tea.PNG", "tea.PNG"), ("tea.wav", "tea.wav", "FOLDER/tea.wav"),
            // A file of this name does not replace the theme's icon.
            ("org.gnome.Calendar", "org.gnome.Calendar", "org.gnome.Calendar"),
            ("./none.png", "FOLDER/./none.png", "FOLDER/./none.png"),
            ("none.png", "none.png", "none.png"), ("none.wav", "none.wav", "none.wav"),
            ("face-smile", "face-smile", "face-smile"), ("/a/b.png", "/a/b.png", "/a/b.png"),
            // The daemon plays no URI, so the sound becomes a path.
            ("file:///a%20b.wav", "file:///a%20b.wav", "/a b.wav"),
            ("file:/a.png", "file:/a.png", "file:/a.png"),
        ])
    func `a sound or an icon that is a file has an absolute path`(
        text: String, icon: String, sound: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["tea.PNG", "tea.wav", "org.gnome.Calendar"] {
            try #require(
                FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
        }
        let environment = ToolEnvironment(
            variables: [:], directory: folder, now: Instant(microseconds: 5), zone: .fixed(0),
            reactor: Reactor.hosted("unused"))
        let content = try Self.request(
            ["Title", "--sound", text, "--icon", text], in: environment
        ).content
        #expect(content.desktop?.icon == icon.replacing("FOLDER", with: folder))
        #expect(content.sound == NotificationSound(.named(sound.replacing("FOLDER", with: folder))))
    }

    @Test func `identifiers are short, typeable and unique`() throws {
        let all =
            try [Self.request(["a"]).identifier]
            + (0..<1_000).map { _ in RequestTag.newIdentifier() }
        #expect(Set(all).count == all.count)
        for identifier in all {
            #expect(identifier.count == 8)
            #expect(identifier.first?.isLetter == true)
            #expect(identifier.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
        }
    }

    @Test func `an action without an id gets its position as the id`() throws {
        let actions = try ActionOption.parse(["yes=Yes, please", "No", "x=a=b"])
        #expect(actions.map(\.identifier) == ["yes", "1", "x"])
        #expect(actions.map(\.title) == ["Yes, please", "No", "a=b"])
        for wrong in [["=Yes"], ["yes="], [""], ["a=1", "a=2"], ["1=x", "y"]] {
            let error = try #require(throws: ToolError.self) { try ActionOption.parse(wrong) }
            #expect(error.status == .usage)
        }
    }

    @Test func `a request with buttons carries its actions, and reports a dismissal`() throws {
        let content = try Self.request(["a", "-A", "yes=Yes", "--reply"]).content
        #expect(content.actions.map(\.identifier) == ["yes", "reply"])
        #expect(content.reportsDismissal && content.categoryIdentifier.isEmpty)
        let plain = try Self.request(["a"]).content
        #expect(plain.actions.isEmpty && !plain.reportsDismissal)
        let send = try Self.send(["a", "--wait"])
        #expect(
            try send.content.outgoing(send.texts, waits: true, in: Self.environment)
                .request.content.reportsDismissal)
    }

    @Test func `a name given with -a becomes a separate app id`() throws {
        let (id, identity) = try Self.send(["a", "-a", "Backup: Script!"]).content.app.resolved()
        #expect(id.rawValue == "dev.backup-script")
        #expect(identity?.name == "Backup: Script!")
        #expect(try Self.send(["a"]).content.app.resolved().id == .tocsin)
        #expect(try Self.send(["a", "-a", "?!"]).content.app.resolved().id.rawValue == "dev.app")
        #expect(
            try Self.send(["a", "--app", "org.x"]).content.app.resolved().id.rawValue == "org.x")
        #expect(throws: ToolError.self) {
            try Self.send(["a", "--app", "../x"]).content.app.resolved()
        }
    }

    @Test(
        arguments: [
            (["send"], "Missing expected argument '<summary>'"),
            (["send", "a", "b", "c"], "Unexpected argument 'c'"),
            (["send", "-5"], "begins with '-' goes after '--'"),
            (["send", "a", "--jsn"], "Did you mean '--json'?"),
            // These messages say how to write an identifier that begins with '-'.
            (["show", "-tea"], "An ID that begins with '-' goes after '--'."),
            (["show", "-5"], "An ID that begins with '-' goes after '--'."),
            (["cancel", "-tea"], "An ID that begins with '-' goes after '--'."),
            (["remove", "tea", "-5"], "An ID that begins with '-' goes after '--'."),
            (["skip", "-tea"], "An ID that begins with '-' goes after '--'."),
            (["move", "-tea", "10m"], "An ID that begins with '-' goes after '--'."),
            (["badge", "a", "-1"], "A negative number cannot be used here."),
            (["next", "day at 9", "--count", "-1"], "A negative number cannot be used here."),
            (["send", "a", "-u", "loud"], "low"), (["send", "a", "-t", "soon"], "soon"),
            (["send", "a", "-t", "99999999999"], "99999999999"),
            (["send", "a", "--id", ""], "'--id' is empty"),
            (["send", "a", "-a", "x", "--app", "y"], "exclude each other"),
            (["send", "a", "-A"], "-A"), (["schedule", "a"], "The time is missing"),
            (["schedule", "a", "--in", "1m", "--at", "8am"], "exclude each other"),
            (["remove"], "The identifiers are missing"),
            (["remove", "--all", "x"], "exclude each other"),
            (["list", "--all-apps", "--app", "x"], "exclude each other"),
            (["frob"], "frob"), (["--frob"], "Unknown option '--frob'"),
        ])
    func `the error about a wrong command line is one line with a remedy`(
        arguments: [String], text: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(arguments) }
        #expect(error.status == .usage)
        #expect(error.message.contains(text), "\(error.message)")
        #expect(error.message.contains("--help'"))
        #expect(!error.text.contains("\n"))
    }

    /// The hint about an ID that begins with '-' would be wrong: the argument is a real option.
    @Test(arguments: [
        ["show", "--json"], ["show", "-n", "3"], ["move", "tea", "--json"], ["snooze", "--json"],
    ])
    func `the error about a missing ID or time does not treat an option as an ID`(
        arguments: [String]
    ) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(arguments) }
        #expect(!error.message.contains("begins with '-'"), "\(error.message)")
    }

    @Test(
        arguments: [
            ("lits", "list"), ("cancle", "cancel"), ("shedule", "schedule"), ("Send", "send"),
            ("hlep", "help"),
        ])
    func `the error about a misspelt command names the command that was meant`(
        word: String, meant: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse([word, "x"]) }
        #expect(error.status == .usage)
        #expect(
            error.message
                == "There is no command '\(word)'. Did you mean '\(meant)'? See 'tocsin --help'.")
    }

    @Test func `an unknown command that resembles no other gets no suggestion`() throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(["frobnicate"]) }
        #expect(error.message == "There is no command 'frobnicate'. See 'tocsin --help'.")
    }

    @Test func `cancel takes and checks the arguments of remove`() throws {
        guard case .command(let command) = try Invocation.parse(["cancel", "a", "--json"]),
            let cancel = command as? CancelCommand
        else { throw ToolError(.failure, "not a cancel command") }
        #expect(cancel.remove.identifiers == ["a"])
        #expect(cancel.remove.json)
        let error = try #require(throws: ToolError.self) { try Invocation.parse(["cancel"]) }
        #expect(error.message.contains("The identifiers are missing"))
    }

    @Test(
        arguments: [
            (["in", "-5m", "Tea"], "-5m\n^", "does not begin with '-'"),
            (["at", "-1h", "Tea"], "-1h\n^", "does not begin with '-'"),
            // These commands must not report that the time is missing.
            (["next", "-5m"], "-5m\n^", "does not begin with '-'"),
            (["snooze", "-5m"], "-5m\n^", "does not begin with '-'"),
            (["snooze", "tea", "-5m"], "-5m\n^", "does not begin with '-'"),
            (["move", "tea", "-5m"], "-5m\n^", "does not begin with '-'"),
        ])
    func `a time that begins with a minus sign is not read as an option`(
        arguments: [String], pointer: String, text: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(arguments) }
        #expect(error.status == .data)
        #expect(error.message.contains(text))
        #expect(error.text.replacing("  ", with: "").contains(pointer), "\(error.text)")
    }

    @Test func `after two minus signs an identifier may begin with a minus sign`() throws {
        guard case .command(let command) = try Invocation.parse(["move", "--", "-5", "10m"]) else {
            throw ToolError(.failure, "not a command")
        }
        #expect((command as? MoveCommand)?.identifier == "-5")
    }

    @Test(
        arguments: [
            "int:value", "int::4", "int:value:x", "int:value:99999999999", "byte:x:256",
            "boolean:x:1", "double:x:much", "long:x:1", "", "::",
        ])
    func `a wrong hint is refused`(text: String) throws {
        let error = try #require(throws: ToolError.self) { try HintOption.parse(text) }
        #expect(error.status == .usage)
        #expect(!error.text.contains("\n"))
    }

    @Test(
        arguments: [
            ("/nowhere/a.png", "cannot be opened"), ("/", "not a regular file"),
            ("/etc/hostname", "type of the attachment"), ("none-such.png", "cannot be opened"),
            ("/etc/../\u{1B}x", "cannot be opened"),
        ])
    func `a wrong attachment is refused before anything is sent`(path: String, text: String) throws
    {
        let error = try #require(throws: ToolError.self) {
            try Self.request(["a", "--attach", path])
        }
        #expect(error.status == .data)
        #expect(error.message.contains(text), "\(error.message)")
        #expect(!error.text.unicodeScalars.contains("\u{1B}"))
    }

    /// A file URI must not be read as a path in the working directory.
    @Test func `an attachment may be given by its URI`() throws {
        let folder = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data(TestPNG.bytes).write(to: URL(filePath: "\(folder)/a b.png"))
        let request = try Self.request(["a", "--attach", "file://\(folder)/a%20b.png"])
        #expect(request.content.attachments.map(\.path) == ["\(folder)/a b.png"])
    }

    @Test func `an attachment may be given by a link to an image`() throws {
        let folder = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data(TestPNG.bytes).write(to: URL(filePath: "\(folder)/a.png"))
        try files.createSymbolicLink(
            atPath: "\(folder)/link.png", withDestinationPath: "a.png")
        let request = try Self.request(["a", "--attach", "\(folder)/link.png"])
        #expect(request.content.attachments.map(\.path) == ["\(folder)/link.png"])
    }

    @Test func `the error about invalid UTF-8 names the argument's position`() throws {
        let error = try #require(throws: ToolError.self) {
            try ArgumentSanitizer.checked(["send", "a\u{FFFD}"]) { [[0x73], [0x61, 0xFF]] }
        }
        #expect(error.status == .usage)
        #expect(error.message.contains("Argument 2 is not valid UTF-8"))
        // An argument may contain the replacement character itself.
        let honest = try ArgumentSanitizer.checked(["\u{FFFD}"]) { [[0xEF, 0xBF, 0xBD]] }
        #expect(honest == ["\u{FFFD}"])
    }

    private static func request(_ identifier: String, _ created: Int64?) -> NotificationRequest {
        var content = NotificationContent(title: "t")
        if let created {
            content.userInfo[RequestTag.created] = .date(Instant(microseconds: created))
        }
        return NotificationRequest(identifier: identifier, content: content)
    }

    private static func choose(
        _ text: String, _ candidates: [NotificationRequest]
    ) throws(ToolError) -> String {
        try NotificationLookup.choose(text, among: candidates, \.self).identifier
    }

    @Test func `a whole identifier or 'last' chooses one of several candidates`() throws {
        let all = [Self.request("tea", 2), Self.request("team", 9), Self.request("mail", nil)]
        #expect(try Self.choose("tea", all) == "tea")
        #expect(try Self.choose("last", all) == "team")
        #expect(
            try Self.choose("last", [all[2]]) == "mail",
            "an imported request without a date may be the last")
        #expect(try Self.choose("last", [Self.request("last", nil)] + all) == "last")
        // One request may be both pending and delivered.
        #expect(try Self.choose("te", [all[0], all[0]]) == "tea")
    }

    @Test func `an ambiguous text is an error that names at most ten candidates`() throws {
        let few = try #require(throws: ToolError.self) {
            try Self.choose("t", [Self.request("tea", 2), Self.request("team", 9)])
        }
        #expect(few.status == .failure)
        #expect(few.message.contains("may mean 2 notifications ('tea', 'team')"), "\(few.message)")
        let many = try #require(throws: ToolError.self) {
            try Self.choose("t", (10..<21).map { Self.request("t\($0)", nil) })
        }
        #expect(many.message.contains("more than 10 notifications ('t10', "), "\(many.message)")
        #expect(many.message.contains("'t19', …)"), "\(many.message)")
        for text in ["x", "last"] {
            let none = try #require(throws: ToolError.self) { try Self.choose(text, []) }
            #expect(none.missing != nil)
        }
    }
}
