import Foundation
import TestSupport
import Testing

/// Requests scheduled without a bus, and the login that follows.
@Suite(.timeLimit(.minutes(5))) struct InboxProgramTests {
    /// A user without a session, and the session that the user gets.
    private struct Person {
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
        let person = try Person()
        #expect(try await person.cron("list").status == 75)
        let added = try await person.cron(
            "in", "20m", "Turn", "the", "oven", "off", "--id", "oven", "-A", "ok=OK")
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.hasPrefix("oven: "))
        #expect(
            added.output.hasSuffix(
                "(in 20 min); waits for login: fires once a desktop session runs tocsind"))
        let rule = try await person.cron(
            "every", "day at 9", "Stand up", "--id", "standup", "--json")
        #expect(rule.output.contains(#""state":"pending","#))
        #expect(rule.output.hasSuffix(#","waitsForLogin":true}"#), "\(rule.output)")

        let list = try await person.cron("list")
        #expect(list.status == 0 && list.errors.contains("only requests that wait for a login"))
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].contains("STATE"))
        #expect(lines.dropFirst().allSatisfy { $0.contains("waits for login") })
        let json = try await person.cron("list", "--json")
        #expect(json.output.split(separator: "\n").count == 2)
        #expect(json.output.contains(#""id":"oven","app":"org.tocsin.Tocsin","#))
        #expect(json.output.contains(#""trigger":{"kind":"at","date":"20"#))

        let show = try await person.cron("show", "oven")
        #expect(show.output.contains("waits for login: tocsind imports it"), "\(show.output)")
        #expect(show.output.contains("OK (ok)"))
        let move = try await person.cron("move", "oven", "30m")
        #expect(move.status == 0 && move.output.contains("(in 30 min)"), "\(move.errors)")
        #expect(try await person.cron("show", "oven").output.contains("OK (ok)"))
        let moved = try await person.cron("move", "oven", "30m", "--json")
        #expect(moved.output.hasSuffix(#","waitsForLogin":true}"#), "\(moved.output)")
        #expect(try await person.cron("remove", "standup").status == 0)
        let left = try await person.cron("list", "--json")
        #expect(left.output.contains("oven") && !left.output.contains("standup"))
        #expect(try await person.cron("remove", "nothing").status == 1)
        #expect(person.files.count == 1)
    }

    @Test(
        arguments: [
            ["list"], ["list", "--json"], ["list", "--all-apps"], ["export"], ["missed"],
            ["remove", "--all"], ["cancel", "x"], ["move", "x", "5m"], ["show", "x"],
        ])
    func `without a bus an empty inbox is an error and no empty list`(
        arguments: [String]
    ) async throws {
        let person = try Person()
        let run = try await ProgramTests.run(
            "tocsin", arguments, environment: person.withoutBus)
        #expect(run.status == 75, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(person.files.isEmpty)
    }

    @Test func `a mistake in a bus address does not count as a missing session`() async throws {
        let person = try Person()
        #expect(try await person.cron("in", "20m", "Tea").status == 0)
        let wrong = try await ProgramTests.run(
            "tocsin", ["list"],
            environment: person.bus.environment.merging([
                "DBUS_SESSION_BUS_ADDRESS": "unix-path=/run/user/0/bus"
            ]) { $1 })
        #expect(wrong.status == 75)
        #expect(wrong.errors.contains("is not a valid bus address"), "\(wrong.errors)")
        let refused = try await person.cron("list")
        #expect(refused.status == 0)
        #expect(refused.errors.hasPrefix("tocsin: no bus can be reached here"), "\(refused.errors)")
        #expect(refused.errors.contains("Could not connect to the bus at"), "\(refused.errors)")
    }

    @Test func `a request due without a bus is missed, exported and cancelled`() async throws {
        let person = try Person()
        let added = try await person.cron(
            "at", "2001-01-01 8am", "--past-ok", "Past", "--id", "past")
        #expect(added.status == 0, "\(added.errors)")
        let missed = try await person.cron("missed")
        #expect(missed.output.contains("waits for login: no session bus is here"))
        #expect(try await person.cron("export").output.contains(#""id":"past""#))
        #expect(try await person.cron("cancel", "past").status == 0)
        #expect(person.files.isEmpty)
    }

    @Test func `without a bus requests of other apps and commands of a session are refused`()
        async throws
    {
        let person = try Person()
        for arguments in [
            ["schedule", "a", "--in", "1m", "--app", "org.example.App"],
            ["schedule", "a", "--in", "1m", "-a", "Backup"], ["send", "a"], ["snooze", "10m"],
            ["list", "--delivered"], ["doctor"],
        ] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: person.withoutBus)
            #expect(run.status == 75, "\(arguments): \(run.errors)")
        }
        #expect(person.files.isEmpty)
    }

    @Test func `the next login's daemon restores the popup with its buttons and shows missed ones`()
        async throws
    {
        let person = try Person()
        let image = person.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        let missed = try await person.cron(
            "at", "2001-01-01 8am", "--past-ok", "Missed", "--attach", image, "-A", "yes=Yes",
            "--on", "yes=true", "--id", "missed")
        #expect(missed.status == 0, "\(missed.errors)")
        #expect(try await person.cron("in", "10h", "Later", "--id", "later").status == 0)
        try FileManager.default.removeItem(atPath: image)
        let server = try await ScriptedServer.start(on: person.bus)
        let daemon = try await person.login()
        let shown = try await server.calls.first("the popup") { $0.summary == "Missed" }
        #expect(shown.actions.map(\.label).first == "Yes")
        #expect(shown.hints["image-path"] != nil)
        let list = try await person.tocsin("list", "--json")
        #expect(list.output.contains(#""id":"later""#) && !list.output.contains("waitsForLogin"))
        #expect(person.files.isEmpty)
        await daemon.stop()
        // The next daemon does not import the request a second time.
        let again = try await person.login()
        #expect(try await person.tocsin("list", "--json").output.split(separator: "\n").count == 1)
        #expect(server.calls.all.count == 1)
        await again.stop()
        await server.stop()
    }

    @Test func `an inbox entry that comes while the daemon runs is imported at once`() async throws
    {
        let person = try Person()
        let server = try await ScriptedServer.start(on: person.bus)
        let daemon = try await person.login()
        #expect(try await person.cron("in", "200ms", "Soon").status == 0)
        try await server.calls.first("the popup") { $0.summary == "Soon" }
        await daemon.stop()
        await server.stop()
    }

    @Test func `an unreadable inbox entry is set aside and reported`() async throws {
        let person = try Person()
        #expect(try await person.cron("in", "10h", "Good", "--id", "good").status == 0)
        let id = "12345678-1234-4234-8234-123456789abc"
        let text = #"{"app":"org.example.Other","created":1,"request":{"id":"a","title":"a"}}"#
        try Data(text.utf8).write(to: URL(filePath: "\(person.inbox)/\(id).json"))
        let daemon = try await person.login()
        #expect(daemon.said.contains("is kept as \(person.inbox)/\(id).unusable"))
        #expect(person.files == ["\(id).unusable"])
        #expect(try await person.tocsin("list", "--json").output.contains(#""id":"good""#))
        await daemon.stop()
    }

    /// Such an entry was once set aside for good, so that its request never fired.
    ///
    /// An entry that could not be stored waited for the next entry, or for the next login. An
    /// entry was also set aside if its attachment, whose name ends in ".0", could not be opened or
    /// read.
    @Test(
        arguments: [
            (DiskShim.Operations.open, ".json", EMFILE), (.read, ".json", EIO),
            (.open, ".0", EMFILE), (.open, ".0", EIO), (.read, ".0", EIO),
        ] as [(DiskShim.Operations, String, Int32)])
    func `an inbox entry that cannot be imported for a moment is imported soon`(
        operation: DiskShim.Operations, file: String, error: Int32
    ) async throws {
        let person = try Person()
        let image = person.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        let state = try #require(person.bus.environment["XDG_STATE_HOME"])
        let shim = try await DiskShim(folder: state + "/tocsin", in: person.bus.directory)
        let added = try await person.cron("in", "10h", "Tea", "--id", "tea", "--attach", image)
        #expect(added.status == 0, "\(added.errors)")
        try shim.fail(operation, of: file, error: error, times: 1)
        let daemon = try await person.login(adding: shim.environment)
        #expect(daemon.said.contains("stays in the inbox"), "\(daemon.said)")
        try await daemon.lines.wait(for: "the import") { lines in
            lines.contains { $0.contains("took over 'tea'") }
        }
        #expect(try await person.tocsin("list", "--json").output.contains(#""id":"tea""#))
        await daemon.stop()
        #expect(person.files.isEmpty)
    }

    @Test func `import keeps each line and export reads them`() async throws {
        let person = try Person()
        let file = person.bus.directory + "/backup.jsonl"
        let lines = ["a", "b"].map {
            #"{"id":"\#($0)","title":"T","trigger":{"kind":"interval","seconds":3600}}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        let imported = try await person.cron("import", file)
        #expect(imported.status == 0 && imported.output == "a\nb", "\(imported.errors)")
        let exported = try await person.cron("export")
        #expect(exported.output.split(separator: "\n").count == 2)
        // A request with the same identifier replaces the earlier one.
        #expect(try await person.cron("in", "2h", "New", "--id", "a").status == 0)
        #expect(person.files.count == 2)
        let list = try await person.cron("list", "--json")
        #expect(list.output.contains(#""title":"New""#))
    }

    /// Without a bus, an import once began with the dates that had been skipped or put off.
    @Test func `an import without a bus keeps skipped and snoozed dates until the login`()
        async throws
    {
        let person = try Person()
        var daemon = try await person.login()
        for (name, hour) in [("skipped", 9), ("snoozed", 10)] {
            let added = try await person.tocsin(
                "every", "day at \(hour)", "Tea", "--id", name, "--tz", "UTC")
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(try await person.tocsin("skip", "skipped").status == 0)
        #expect(try await person.tocsin("snooze", "snoozed", "10m").status == 0)
        let file = "\(person.bus.directory)/backup.jsonl"
        #expect(try await person.tocsin("export", file).status == 0)
        #expect(try await person.tocsin("remove", "--all").status == 0)
        await daemon.stop()

        let imported = try await person.cron("import", file)
        #expect(imported.status == 0, "\(imported.errors)")
        let waiting = try await person.cron("export")
        #expect(waiting.output.split(separator: "\n").count { $0.contains("\"regular\":") } == 1)
        daemon = try await person.login()
        let again = "\(person.bus.directory)/again.jsonl"
        #expect(try await person.tocsin("export", again).status == 0)
        #expect(
            try String(contentsOfFile: again, encoding: .utf8)
                == String(contentsOfFile: file, encoding: .utf8))
        await daemon.stop()
    }

    /// The tool once printed the identifier, and the daemon could not use the request.
    @Test func `a line that the daemon would refuse is refused without a bus too`() async throws {
        let person = try Person()
        let file = "\(person.bus.directory)/lines.jsonl"
        let lines = [
            #"{"id":"long","title":"T","trigger":{"kind":"interval","seconds":1e300}}"#,
            #"{"id":"tea","title":"T","trigger":{"kind":"interval","seconds":600}}"#,
        ]
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file))
        let run = try await person.cron("import", file)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.output == "tea")
        let refusal = "line 1: The time interval of the request 'long'"
        #expect(run.errors.contains(refusal), "\(run.errors)")
        #expect(person.files.count == 1)
    }

    /// The next daemon neither loses nor repeats the entries that a killed daemon took.
    @Test func `a daemon that is killed while it takes inbox entries loses and doubles nothing`()
        async throws
    {
        let person = try Person()
        let file = person.bus.directory + "/many.jsonl"
        let all = (0..<60).map { "r\($0)" }
        let lines = all.map {
            #"{"id":"\#($0)","title":"T","trigger":{"kind":"interval","seconds":36000}}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        #expect(try await person.cron("import", file).status == 0)
        var rounds = 0
        while person.files.count > 10 {
            rounds += 1
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(ProgramTests.products)/tocsind' 2>&1"],
                environment: person.bus.environment)
            // A daemon that finds only requests of the killed one reports no import, and serves.
            try await daemon.lines.wait(for: "some of them, or the rest") { lines in
                lines.contains { $0.contains("took over") || $0.contains("serving") }
            }
            daemon.signal(SIGKILL)
            try await daemon.exit()
        }
        #expect(rounds > 0)
        var daemon = try await person.login()
        let pending = try await person.tocsin("list", "--ids").output.split(separator: "\n")
        #expect(pending.map(String.init).sorted() == all.sorted())
        #expect(person.files.isEmpty)
        #expect(try await person.tocsin("remove", "--all").status == 0)
        await daemon.stop()
        daemon = try await person.login()
        #expect(try await person.tocsin("list", "--ids").output.isEmpty)
        await daemon.stop()
    }
}
