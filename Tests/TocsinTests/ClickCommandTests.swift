import Foundation
import NotificationModel
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The commands that clicks run, and the file that keeps them.
@Suite(.timeLimit(.minutes(5))) struct ClickCommandTests {
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    private static func key(_ identifier: String, app: ApplicationID = .tocsin) -> NotificationKey {
        NotificationKey(app: app, identifier: identifier)
    }

    private static func commands(
        _ identifier: String, app: ApplicationID = .tocsin, age: Int64 = 0
    ) -> ClickCommands {
        var commands = ClickCommands(
            key: key(identifier, app: app), directory: "/tmp",
            created: now.adding(microseconds: -age))
        commands.click = .shell("echo \(identifier)")
        return commands
    }

    private static func response(
        _ action: NotificationResponse.Action, token: String? = nil
    ) -> NotificationResponse {
        NotificationResponse(
            id: 1,
            notification: DeliveredNotification(
                app: .tocsin,
                request: NotificationRequest(identifier: "tea", content: .init(title: "Tea")),
                date: now),
            action: action, activationToken: token)
    }

    @Test func `a command is read back unchanged from its line, whatever it contains`() throws {
        var commands = Self.commands("t\u{e4}\n\"1\"")
        commands.directory = "/tmp/a b\\c"
        for text in ["echo 'a' \"b\" \\\n | sort", "\u{7}\u{1b}[31m", "日本 👩‍👩‍👧", "\u{2028}", "{}"] {
            commands.click = .shell(text)
            commands.actions = ["yes": ClickCommand(["prog", text]), "\"": .shell(":")]
            #expect(!commands.line.contains("\n"))
            #expect(ClickCommands(line: commands.line) == commands)
            let table = CommandTable(text: commands.line + "\n" + Self.commands("x").line + "\n")
            #expect(table.entries == [commands, Self.commands("x")])
        }
    }

    @Test func `a click command of the maximum length is read, and a longer command is skipped`() {
        let text = String(repeating: "a", count: Limits.clickCommand.most)
        var commands = Self.commands("tea")
        let openings = Desktops.openers.map { ClickCommand($0 + [text]) }
        for click in [ClickCommand.shell(text)] + openings {
            commands.click = click
            #expect(ClickCommands(line: commands.line) == commands)
        }
        commands.click = .shell(text + "a")
        #expect(ClickCommands(line: commands.line) == nil)
    }

    @Test(arguments: ["", "{}", "{\"app\":\"a\"", "[]", "null", "garbage", "{\"app\":\"/\"}"])
    func `a damaged line of the command file is skipped`(line: String) {
        #expect(ClickCommands(line: line) == nil)
        let table = CommandTable(text: "\(line)\n\(Self.commands("tea").line)\n")
        #expect(table.entries == [Self.commands("tea")])
    }

    @Test func `each click has its command, and a dismissal has no command`() {
        var commands = Self.commands("tea")
        commands.actions = ["yes": .shell("echo yes")]
        #expect(commands.command(for: .standard) == .shell("echo tea"))
        #expect(commands.command(for: .custom("yes")) == .shell("echo yes"))
        #expect(commands.command(for: .reply("yes", text: "x")) == .shell("echo yes"))
        #expect(commands.command(for: .custom("no")) == nil)
        #expect(commands.command(for: .dismiss) == nil)
    }

    @Test func `a command gets the response in its environment`() {
        var variables = ClickCommands.variables(for: Self.response(.standard, token: "t"))
        #expect(
            variables == [
                "TOCSIN_ID": "tea", "TOCSIN_APP": "org.tocsin.Tocsin", "TOCSIN_ACTION": "default",
                "TOCSIN_REPLY": "", "XDG_ACTIVATION_TOKEN": "t",
            ])
        variables = ClickCommands.variables(for: Self.response(.reply("say", text: "a\0'$(b)")))
        #expect(variables["TOCSIN_ACTION"] == "say" && variables["TOCSIN_REPLY"] == "a'$(b)")
        #expect(variables["XDG_ACTIVATION_TOKEN"] == nil)
        let long = String(repeating: "👩", count: 100_000)
        let reply = ClickCommands.variables(for: Self.response(.reply("a", text: long)))
        #expect((reply["TOCSIN_REPLY"]?.utf8.count ?? 0) < 131_072, "execve takes no more")
    }

    // MARK: Deletion

    @Test func `commands are deleted with their notifications`() throws {
        let other = try ApplicationID("dev.other")
        let minute: Int64 = 60_000_000
        func remaining(_ openAnswers: Bool) -> [String] {
            var table = CommandTable()
            for commands in [
                Self.commands("listed", age: 9 * minute), Self.commands("new", age: minute / 2),
                Self.commands("answered"), Self.commands("gone", age: 2 * minute),
                Self.commands("old", age: 8 * 24 * 60 * minute),
                Self.commands("future", age: -2 * minute),
                // Another process wrote these entries after the deletion began.
                Self.commands("newer", age: -9), Self.commands("again", age: -9),
                Self.commands("others", app: other, age: 9 * minute),
            ] {
                table.replace(commands.key, with: commands)
            }
            table.prune(
                .tocsin, listed: ["listed"], answered: ["answered", "listed", "again"],
                openAnswers: openAnswers, now: Self.now)
            return table.entries.map(\.key.identifier)
        }
        #expect(remaining(false) == ["listed", "new", "newer", "again", "others"])
        // A response is waiting: it may belong to a notification that has left the lists.
        #expect(remaining(true) == ["listed", "new", "gone", "newer", "again", "others"])
    }

    @Test func `a notification has its newest commands only`() {
        var table = CommandTable()
        table.replace(Self.key("tea"), with: Self.commands("tea"))
        var other = Self.commands("tea")
        other.click = .shell("other")
        table.replace(Self.key("tea"), with: other)
        #expect(table.entries == [other])
        #expect(table[Self.key("tea")] == other && table[Self.key("x")] == nil)
        table.replace(Self.key("tea"), with: nil)
        #expect(table.entries.isEmpty)
    }

    // MARK: The file

    /// A temporary state directory, removed with this object.
    private final class Home: Sendable {
        let path = NSTemporaryDirectory() + "commands-" + UUID().uuidString

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        var directory: String { path + "/tocsin" }

        func file() throws -> CommandFile {
            try CommandFile(
                ToolEnvironment(
                    variables: ["XDG_STATE_HOME": path], directory: "/", now: now,
                    reactor: Reactor.hosted("file")))
        }

        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[
                .posixPermissions] as? Int
        }
    }

    @Test func `the command file is readable and writable only by its owner`() throws {
        let home = Home()
        let file = try home.file()
        #expect(try file.read().entries.isEmpty)
        try file.change { $0.replace(Self.key("tea"), with: Self.commands("tea")) }
        #expect(try home.mode("commands.jsonl") == 0o600)
        #expect(try home.mode("") == 0o700)
        #expect(try file.read().entries == [Self.commands("tea")])
    }

    @Test func `a command file that is a link, or that others may write, is refused`() throws {
        let home = Home()
        let file = try home.file()
        try file.change { $0.replace(Self.key("tea"), with: Self.commands("tea")) }
        let path = home.directory + "/commands.jsonl"
        for mode in [0o620, 0o602] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = try #require(throws: ToolError.self) { try file.read() }
            #expect(error.message.contains("are not run: another user can change"))
        }
        // The file behind the link is good, so only the link can be the reason.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: path + ".away")
        #expect(throws: ToolError.self) { try file.read() }
    }

    @Test func `concurrent changes of the command file lose no command`() async throws {
        let home = Home()
        let file = try home.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let commands = Self.commands("n\(number)")
                    try file.change { $0.replace(commands.key, with: commands) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.read().entries.count == 40)
    }

    @Test func `the number of notifications with commands is bounded`() throws {
        let home = Home()
        let file = try home.file()
        let text = (0..<Limits.clickCommands.most).map { Self.commands("n\($0)").line + "\n" }
        try FileManager.default.createDirectory(
            atPath: home.directory, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(
            atPath: home.directory + "/commands.jsonl", contents: Data(text.joined().utf8),
            attributes: [.posixPermissions: 0o600])
        let error = try #require(throws: ToolError.self) {
            try file.change { $0.replace(Self.key("tea"), with: Self.commands("tea")) }
        }
        #expect(error.message.contains("10000 notifications have commands"))
        #expect(try file.read().entries.count == Limits.clickCommands.most)
    }

    @Test func `without a home directory the command file is refused`() {
        #expect(throws: ToolError.self) {
            try CommandFile(
                ToolEnvironment(
                    variables: ["XDG_STATE_HOME": "relative"], directory: "/", now: Self.now,
                    reactor: Reactor.hosted("file")))
        }
    }

    // MARK: The command line

    /// If the tool stored such an address, it could not read it, and a click would do nothing.
    @Test func `an address of '--open' that is too long is refused`() async throws {
        let address = "a:" + String(repeating: "b", count: Limits.clickCommand.most)
        let run = try await ProgramTests.run(
            "tocsin", ["in", "1m", "a", "--open", address],
            environment: [
                "HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ])
        #expect(run.status == 64)
        #expect(run.errors.contains("'--open' has 32770 bytes"), "\(run.errors)")
    }

    @Test(
        arguments: [
            (["schedule", "a", "--in", "1m", "--on", "yes"], 64, "has no command"),
            (["schedule", "a", "--in", "1m", "--on", "yes=true"], 64, "no action 'yes'"),
            (["schedule", "a", "--in", "1m", "-A", "b=B", "--on", "b="], 64, "has 0 bytes"),
            (["in", "1m", "a", "--on-click", ""], 64, "has 0 bytes"),
            (["send", "a", "-w", "--on-click", "true"], 64, "'--wait' excludes"),
            (["send", "a", "--app", "org.x", "--on-click", "true"], 64, "exclude '--app'"),
            (["register", "--id", "org.x"], 64, "program is missing"),
            (["register", "/bin/true"], 64, "--id"),
            (["register", "/bin/true", "--id", "org.x", "--remove"], 64, "takes the id alone"),
            (["register", "/bin/true", "--id", "a/b"], 64, "application id"),
            (["register", "/nowhere", "--id", "org.x"], 65, "not a program"),
            (["register", "/tmp", "--id", "org.x"], 65, "not a program"),
            (
                ["register", "/bin/sh", "--id", "one", "--dbus-activatable"], 64,
                "not a valid bus name"
            ),
        ] as [([String], Int32, String)])
    func `an unusable click command or registration is reported`(
        arguments: [String], status: Int32, part: String
    ) async throws {
        let run = try await ProgramTests.run(
            "tocsin", arguments,
            environment: [
                "HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ])
        #expect(run.status == status)
        #expect(run.errors.contains(part), "\(run.errors)")
    }
}
