import Foundation
import TestSupport
import Testing

/// Requests scheduled without a bus, and the login that follows.
@Suite(.timeLimit(.minutes(5))) struct InboxProgramTests {
    /// A user without a session, and the user's later session.
    struct User {
        let bus: PrivateBus
        let inbox: String

        init() throws {
            bus = try PrivateBus()
            let state = try #require(bus.environment["XDG_STATE_HOME"])
            let machine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
            let name = machine.trimmingCharacters(in: .whitespacesAndNewlines)
            inbox = "\(state)/tocsin/\(name.isEmpty ? "local" : name)/inbox"
        }

        /// The environment of cron.
        var withoutBus: [String: String] {
            bus.environment.merging([
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.directory)/none", "TZ": "UTC",
            ]) { $1 }
        }

        func cron(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: withoutBus)
        }

        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }

        /// Starts a session's daemon; returns when it serves.
        func login(adding variables: [String: String] = [:]) async throws -> RunningProgram {
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(ProgramTests.products)/tocsind' 2>&1"],
                environment: bus.environment.merging(variables) { $1 })
            try await daemon.lines.wait(for: "the daemon") { lines in
                lines.contains { $0.contains("serving") }
            }
            return daemon
        }

        var files: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: inbox)) ?? [])
                .filter { $0 != ".bell" }.sorted()
        }
    }

    @Test func `a request without a bus is kept, listed, shown, moved and removed`() async throws {
        let user = try User()
        #expect(try await user.cron("list").status == 75)
        let added = try await user.cron(
            "in", "20m", "Turn", "the", "oven", "off", "--id", "oven", "-A", "ok=OK")
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.hasPrefix("oven: "))
        #expect(
            added.output.hasSuffix(
                "(in 20 min); waits for login: fires when a desktop session runs tocsind"))
        let rule = try await user.cron(
            "every", "day at 9", "Stand up", "--id", "standup", "--json")
        #expect(rule.output.contains(#""state":"pending","#))
        #expect(rule.output.hasSuffix(#","waitsForLogin":true}"#), "\(rule.output)")

        let list = try await user.cron("list")
        #expect(list.status == 0 && list.errors.contains("only requests that wait for a login"))
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].contains("STATE"))
        #expect(lines.dropFirst().allSatisfy { $0.contains("waits for login") })
        let json = try await user.cron("list", "--json")
        #expect(json.output.split(separator: "\n").count == 2)
        #expect(json.output.contains(#""id":"oven","app":"org.tocsin.Tocsin","#))
        #expect(json.output.contains(#""trigger":{"kind":"at","date":"20"#))

        let show = try await user.cron("show", "oven")
        #expect(show.output.contains("waits for login: tocsind imports it"), "\(show.output)")
        #expect(show.output.contains("OK (ok)"))
        let move = try await user.cron("move", "oven", "30m")
        #expect(move.status == 0 && move.output.contains("(in 30 min)"), "\(move.errors)")
        #expect(try await user.cron("show", "oven").output.contains("OK (ok)"))
        let moved = try await user.cron("move", "oven", "30m", "--json")
        #expect(moved.output.hasSuffix(#","waitsForLogin":true}"#), "\(moved.output)")
        #expect(try await user.cron("remove", "standup").status == 0)
        let left = try await user.cron("list", "--json")
        #expect(left.output.contains("oven") && !left.output.contains("standup"))
        #expect(try await user.cron("remove", "nothing").status == 1)
        #expect(user.files.count == 1)
    }

    @Test(arguments: [["list", "--json"], ["show", "milk", "--json"], ["export"]])
    func `before the login, the JSON of a region says that nothing monitors the region`(
        command: [String]
    ) async throws {
        let user = try User()
        let added = try await user.cron(
            "schedule", "Milk", "--near", "52.5,13.25", "--radius", "200", "--id", "milk")
        #expect(added.status == 0, "\(added.errors)")
        let run = try await ProgramTests.run("tocsin", command, environment: user.withoutBus)
        #expect(run.output.contains(#""monitored":false}"#), "\(run.output)")
        #expect(run.output.contains(#""waitsForLogin":true"#), "\(run.output)")
    }

    @Test(
        arguments: [
            ["list"], ["list", "--json"], ["list", "--all-apps"], ["export"], ["missed"],
            ["remove", "--all"], ["cancel", "x"], ["move", "x", "5m"], ["show", "x"],
        ])
    func `without a bus an empty inbox is an error, not an empty list`(
        arguments: [String]
    ) async throws {
        let user = try User()
        let run = try await ProgramTests.run(
            "tocsin", arguments, environment: user.withoutBus)
        #expect(run.status == 75, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(user.files.isEmpty)
    }

    @Test func `a mistake in a bus address does not count as a missing session`() async throws {
        let user = try User()
        #expect(try await user.cron("in", "20m", "Tea").status == 0)
        let wrong = try await ProgramTests.run(
            "tocsin", ["list"],
            environment: user.bus.environment.merging([
                "DBUS_SESSION_BUS_ADDRESS": "unix-path=/run/user/0/bus"
            ]) { $1 })
        #expect(wrong.status == 75)
        #expect(wrong.errors.contains("is not a valid bus address"), "\(wrong.errors)")
        let refused = try await user.cron("list")
        #expect(refused.status == 0)
        #expect(refused.errors.hasPrefix("tocsin: no bus can be reached here"), "\(refused.errors)")
        #expect(refused.errors.contains("Could not connect to the bus at"), "\(refused.errors)")
    }

    @Test func `a request due without a bus is listed as missed, exported and cancelled`()
        async throws
    {
        let user = try User()
        let added = try await user.cron(
            "at", "2001-01-01 8am", "--past-ok", "Past", "--id", "past")
        #expect(added.status == 0, "\(added.errors)")
        let missed = try await user.cron("missed")
        #expect(missed.output.contains("waits for login: no session bus is here"))
        #expect(try await user.cron("export").output.contains(#""id":"past""#))
        #expect(try await user.cron("cancel", "past").status == 0)
        #expect(user.files.isEmpty)
    }

    @Test func `without a bus requests of other apps and commands of a session are refused`()
        async throws
    {
        let user = try User()
        for arguments in [
            ["schedule", "a", "--in", "1m", "--app", "org.example.App"],
            ["schedule", "a", "--in", "1m", "-a", "Backup"], ["send", "a"], ["snooze", "10m"],
            ["list", "--delivered"], ["doctor"],
        ] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: user.withoutBus)
            #expect(run.status == 75, "\(arguments): \(run.errors)")
        }
        #expect(user.files.isEmpty)
    }

    @Test func `the next login's daemon shows a missed request with its button and image`()
        async throws
    {
        let user = try User()
        let image = user.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        let missed = try await user.cron(
            "at", "2001-01-01 8am", "--past-ok", "Missed", "--attach", image, "-A", "yes=Yes",
            "--on", "yes=true", "--id", "missed")
        #expect(missed.status == 0, "\(missed.errors)")
        #expect(try await user.cron("in", "10h", "Later", "--id", "later").status == 0)
        try FileManager.default.removeItem(atPath: image)
        let server = try await ScriptedServer.start(on: user.bus)
        let daemon = try await user.login()
        let shown = try await server.calls.first("the popup") { $0.summary == "Missed" }
        #expect(shown.actions.map(\.label).first == "Yes")
        #expect(shown.hints["image-path"] != nil)
        let list = try await user.tocsin("list", "--json")
        #expect(list.output.contains(#""id":"later""#) && !list.output.contains("waitsForLogin"))
        #expect(user.files.isEmpty)
        await daemon.stop()
        // The next daemon does not import the request a second time.
        let again = try await user.login()
        #expect(try await user.tocsin("list", "--json").output.split(separator: "\n").count == 1)
        await again.stop()
        #expect(server.calls.all.count == 1)
        await server.stop()
    }

    @Test func `an inbox entry that is written while the daemon runs is imported at once`()
        async throws
    {
        let user = try User()
        let server = try await ScriptedServer.start(on: user.bus)
        let daemon = try await user.login()
        #expect(try await user.cron("in", "200ms", "Soon").status == 0)
        try await server.calls.first("the popup") { $0.summary == "Soon" }
        await daemon.stop()
        await server.stop()
    }

    /// Like the store, the inbox may be removed or moved away while the daemon runs.
    ///
    /// The tool then makes a new inbox, which the running daemon must read.
    @Test(arguments: [false, true])
    func `an entry of an inbox that replaces a lost inbox is imported at once`(
        isMoved: Bool
    ) async throws {
        let user = try User()
        let server = try await ScriptedServer.start(on: user.bus)
        let daemon = try await user.login()
        if isMoved {
            try FileManager.default.moveItem(atPath: user.inbox, toPath: user.inbox + ".old")
        } else {
            try FileManager.default.removeItem(atPath: user.inbox)
        }
        #expect(try await user.cron("in", "200ms", "Soon").status == 0)
        try await server.calls.first("the popup") { $0.summary == "Soon" }
        await daemon.stop()
        await server.stop()
    }

    // A daemon that ends holds the lock until its import has failed. If the next daemon did not try
    // again, it would show these requests late.
    @Test func `an inbox that another process has locked is imported after the unlock`()
        async throws
    {
        let user = try User()
        #expect(try await user.cron("in", "10h", "Tea", "--id", "tea").status == 0)
        let lock = open(user.inbox, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let daemon = try await user.login()
        #expect(user.files.count == 1)
        close(lock)
        try await daemon.lines.wait(for: "the import") { lines in
            lines.contains { $0.contains("took over 'tea'") }
        }
        #expect(try await user.tocsin("list", "--json").output.contains(#""id":"tea""#))
        await daemon.stop()
        #expect(user.files.isEmpty)
    }

    @Test func `an unusable inbox entry is set aside and reported`() async throws {
        let user = try User()
        #expect(try await user.cron("in", "10h", "Good", "--id", "good").status == 0)
        let id = "12345678-1234-4234-8234-123456789abc"
        let text = #"{"app":"org.example.Other","created":1,"request":{"id":"a","title":"a"}}"#
        try Data(text.utf8).write(to: URL(filePath: "\(user.inbox)/\(id).json"))
        let daemon = try await user.login()
        #expect(daemon.said.contains("is kept as \(user.inbox)/\(id).unusable"))
        #expect(user.files == ["\(id).unusable"])
        #expect(try await user.tocsin("list", "--json").output.contains(#""id":"good""#))
        await daemon.stop()
    }

    /// An entry that is set aside never fires, so only a lasting error may set it aside.
    ///
    /// The file of an entry's first attachment has a name that ends in ".0".
    @Test(
        arguments: [
            (DiskShim.Operations.open, ".json", EMFILE), (.read, ".json", EIO),
            (.open, ".0", EMFILE), (.open, ".0", EIO), (.read, ".0", EIO),
        ] as [(DiskShim.Operations, String, Int32)])
    func `an inbox entry with a temporary error stays in the inbox and is imported soon`(
        operation: DiskShim.Operations, file: String, error: Int32
    ) async throws {
        let user = try User()
        let image = user.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        let state = try #require(user.bus.environment["XDG_STATE_HOME"])
        let shim = try await DiskShim(folder: state + "/tocsin", in: user.bus.directory)
        let added = try await user.cron("in", "10h", "Tea", "--id", "tea", "--attach", image)
        #expect(added.status == 0, "\(added.errors)")
        try shim.fail(operation, of: file, error: error, times: 1)
        let daemon = try await user.login(adding: shim.environment)
        #expect(daemon.said.contains("stays in the inbox"), "\(daemon.said)")
        try await daemon.lines.wait(for: "the import") { lines in
            lines.contains { $0.contains("took over 'tea'") }
        }
        #expect(try await user.tocsin("list", "--json").output.contains(#""id":"tea""#))
        await daemon.stop()
        #expect(user.files.isEmpty)
    }

    @Test func `without a bus import keeps each line in the inbox, and export prints it`()
        async throws
    {
        let user = try User()
        let file = user.bus.directory + "/backup.jsonl"
        let lines = ["a", "b"].map {
            #"{"id":"\#($0)","title":"T","trigger":{"kind":"interval","seconds":3600}}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        let imported = try await user.cron("import", file)
        #expect(imported.status == 0 && imported.output == "a\nb", "\(imported.errors)")
        let exported = try await user.cron("export")
        #expect(exported.output.split(separator: "\n").count == 2)
        // A request with the same identifier replaces the earlier request.
        #expect(try await user.cron("in", "2h", "New", "--id", "a").status == 0)
        #expect(user.files.count == 2)
        let list = try await user.cron("list", "--json")
        #expect(list.output.contains(#""title":"New""#))
    }

    @Test func `an import without a bus keeps skipped and snoozed dates until the login`()
        async throws
    {
        let user = try User()
        var daemon = try await user.login()
        for (name, hour) in [("skipped", 9), ("snoozed", 10)] {
            let added = try await user.tocsin(
                "every", "day at \(hour)", "Tea", "--id", name, "--tz", "UTC")
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(try await user.tocsin("skip", "skipped").status == 0)
        #expect(try await user.tocsin("snooze", "snoozed", "10m").status == 0)
        let file = "\(user.bus.directory)/backup.jsonl"
        #expect(try await user.tocsin("export", file).status == 0)
        #expect(try await user.tocsin("remove", "--all").status == 0)
        await daemon.stop()

        let imported = try await user.cron("import", file)
        #expect(imported.status == 0, "\(imported.errors)")
        let waiting = try await user.cron("export")
        #expect(waiting.output.split(separator: "\n").count { $0.contains("\"regular\":") } == 1)
        daemon = try await user.login()
        let again = "\(user.bus.directory)/again.jsonl"
        #expect(try await user.tocsin("export", again).status == 0)
        #expect(
            try String(contentsOfFile: again, encoding: .utf8)
                == String(contentsOfFile: file, encoding: .utf8))
        await daemon.stop()
    }

    /// Without the daemon's checks, the tool would accept a request that the daemon cannot use.
    @Test func `a line that the daemon would refuse is refused without a bus too`() async throws {
        let user = try User()
        let file = "\(user.bus.directory)/lines.jsonl"
        let lines = [
            #"{"id":"long","title":"T","trigger":{"kind":"interval","seconds":1e300}}"#,
            #"{"id":"tea","title":"T","trigger":{"kind":"interval","seconds":600}}"#,
        ]
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file))
        let run = try await user.cron("import", file)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.output == "tea")
        let refusal = "line 1: The time interval of the request 'long'"
        #expect(run.errors.contains(refusal), "\(run.errors)")
        #expect(user.files.count == 1)
    }

    @Test func `if daemons are killed while they import the inbox, no entry is lost or doubled`()
        async throws
    {
        let user = try User()
        let file = user.bus.directory + "/many.jsonl"
        let all = (0..<60).map { "r\($0)" }
        let lines = all.map {
            #"{"id":"\#($0)","title":"T","trigger":{"kind":"interval","seconds":36000}}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        #expect(try await user.cron("import", file).status == 0)
        var rounds = 0
        while user.files.count > 10 {
            rounds += 1
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(ProgramTests.products)/tocsind' 2>&1"],
                environment: user.bus.environment)
            // If the killed daemon had stored every entry, the next daemon reports no import.
            try await daemon.lines.wait(for: "an import, or the end of all imports") { lines in
                lines.contains { $0.contains("took over") || $0.contains("serving") }
            }
            daemon.signal(SIGKILL)
            try await daemon.exit()
        }
        #expect(rounds > 0)
        var daemon = try await user.login()
        let pending = try await user.tocsin("list", "--ids").output.split(separator: "\n")
        #expect(pending.map(String.init).sorted() == all.sorted())
        #expect(user.files.isEmpty)
        #expect(try await user.tocsin("remove", "--all").status == 0)
        await daemon.stop()
        daemon = try await user.login()
        #expect(try await user.tocsin("list", "--ids").output.isEmpty)
        await daemon.stop()
    }
}
