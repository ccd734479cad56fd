import Foundation
import TestSupport
import Testing

/// `skip`, `move` and `--past-ok`, with a real daemon, as the user runs them.
@Suite(.timeLimit(.minutes(5))) struct TimeProgramTests {
    /// A private session in the zone of Berlin.
    private struct Session {
        let bus: PrivateBus
        let environment: [String: String]

        init() throws {
            bus = try PrivateBus()
            environment = bus.environment.merging(["TZ": "Europe/Berlin"]) { $1 }
        }

        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: environment)
        }
    }

    @Test func `the list shows the date after a skipped date, and a moved request`() async throws {
        let session = try Session()
        #expect(
            try await session.tocsin("every", "january at 9", "--id", "x", "X").status == 65)
        let added = try await session.tocsin("every", "year on january 1 at 9", "--id", "ny", "New")
        #expect(added.status == 0, "\(added.errors)")
        let first = added.output.firstMatch(of: /20\d\d-01-01 09:00:00 CET/)?.output
        let skip = try await session.tocsin("skip", "1")
        #expect(skip.status == 0, "\(skip.errors)")
        #expect(skip.output.contains("ny: skipped") && skip.output.contains(first ?? "?"))
        let next = skip.output.split(separator: "next").last?
            .firstMatch(of: /20\d\d-01-01 09:00:00 CET/)?.output
        #expect(next != nil && next != first)
        #expect(try await session.tocsin("list").output.contains(next ?? "?"))
        let moved = try await session.tocsin("move", "n", "month on the last day", "--count", "3")
        #expect(moved.output.hasPrefix("ny: every month on the last day"), "\(moved.errors)")
        let list = try await session.tocsin("list", "--json")
        #expect(list.output.contains(#""id":"ny""#) && list.output.contains(#""title":"New""#))
        #expect(list.output.contains(#""count":3"#))
        let once = try await session.tocsin("move", "last", "10h", "--json")
        #expect(once.output.contains(#""trigger":{"kind":"interval","seconds":36000,"#))
        let refused = try await session.tocsin("skip", "ny")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("fires only once"))
        for arguments in [["skip", "nothing"], ["move", "nothing", "8am"]] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: session.environment)
            #expect(run.status == 1 && run.errors.contains("There is no notification 'nothing'"))
        }
    }

    @Test func `a time in two words is understood, and an empty title is refused`() async throws {
        let session = try Session()
        let added = try await session.tocsin("in", "20", "minutes", "Foo", "bar", "--json")
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.contains(#""title":"Foo bar""#))
        #expect(added.output.contains(#""seconds":1200"#))
        let day = try await session.tocsin("at", "tomorrow", "8am", "Water", "plants", "--json")
        #expect(day.status == 0, "\(day.errors)")
        #expect(day.output.contains(#""title":"Water plants""#))
        #expect(day.output.contains("T08:00:00"))
        let bare = try await session.tocsin("at", "tomorrow", "Water", "plants")
        #expect(bare.status == 65 && bare.errors.contains("time of day is missing"))
        let rule = try await session.tocsin("every", "9:30", "X")
        #expect(rule.status == 65)
        #expect(rule.errors.contains("write 'day at 9:30' or 'weekday at 9:30'\n  9:30\n  ^~~~"))
        for arguments in [["in", "5m", ""], ["in", "20", "minutes"], ["at", "8am", " "]] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: session.environment)
            #expect(run.status == 64, "\(arguments)")
            #expect(run.errors.contains("The title is empty; nothing was scheduled"))
        }
        let number = try await session.tocsin("in", "20", "Foo")
        #expect(number.status == 65 && number.errors.contains("has no unit"))
    }

    @Test(arguments: ["in 5m ''", "schedule '' --in 5m", "schedule '' - --in 5m"])
    func `a sound without a text is scheduled`(command: String) async throws {
        let session = try Session()
        let running = try RunningProgram(
            "sh",
            [
                "-c",
                "'\(ProgramTests.products)/tocsin' \(command) --sound bell --json </dev/null",
            ], environment: session.environment)
        #expect(try await running.exit() == 0, "\(running.said)")
        #expect(try await running.allSaid().contains(#""title":"","#))
    }

    @Test func `a rescheduled request keeps its image`() async throws {
        let session = try Session()
        let path = session.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: path))
        let server = try await ScriptedServer.start(on: session.bus)
        #expect(
            try await session.tocsin(
                "in", "10h", "Tea", "--id", "tea", "--attach", path, "-A", "yes=Yes"
            ).status == 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await session.tocsin("move", "tea", "11h").status == 0)
        // A move to a past time shows the request now, with the fields that it kept.
        let moved = try await session.tocsin("move", "tea", "2001-01-01 8am", "--past-ok")
        #expect(moved.status == 0, "\(moved.errors)")
        #expect(moved.output == "tea: now; 2001-01-01T08:00:00+01:00 is past")
        let shown = try await server.calls.first("the popup") { $0.summary == "Tea" }
        #expect(shown.hints["image-path"] != nil)
        #expect(shown.actions.map(\.label).first == "Yes")
        await server.stop()
    }

    @Test func `a past time is refused, and with --past-ok shown now`() async throws {
        let session = try Session()
        let server = try await ScriptedServer.start(on: session.bus)
        let refused = try await session.tocsin("at", "2001-01-01 8am", "Refused")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("'--past-ok'"))
        #expect(try await session.tocsin("at", "2001-01-01 8am", "Late", "--past-ok").status == 0)
        #expect(try await server.calls.first(1).map(\.summary) == ["Late"])
        await server.stop()
    }

    /// The rule floats with the user's zone, which was the daemon's one when the popup came.
    @Test func `after a journey to another zone, missed lists no punctual notification`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        func tocsin(_ arguments: String..., zone: String? = nil) async throws -> ProgramTests.Run {
            var environment = bus.environment
            environment["TZ"] = zone
            return try await ProgramTests.run("tocsin", arguments, environment: environment)
        }
        // This call starts the daemon 11 hours west of Greenwich, and its request keeps the daemon.
        #expect(try await tocsin("in", "1h", "Tea", zone: "<XYZ>11").status == 0)
        let hour = (Int(Date().timeIntervalSince1970) / 3_600 + 13) % 24
        let rule = "*-*-* \(hour),\((hour + 1) % 24):*:*"
        let added = try await tocsin("schedule", "Now", "--on-calendar", rule, "--count", "1")
        #expect(added.status == 0, "\(added.errors)")
        try await server.calls.first("the popup") { $0.summary == "Now" }
        let missed = try await tocsin("missed")
        #expect(missed.output.isEmpty, "\(missed.output)")
        #expect(missed.errors.contains("Nothing was missed."), "\(missed.errors)")
        await server.stop()
    }

    @Test func `the daemon refuses an unknown command`() async throws {
        let run = try await ProgramTests.run(
            "tocsind", ["simulate", "me"], environment: ["HOME": "/nonexistent"])
        #expect(run.status == 64 && run.errors.contains("See 'tocsind --help'"))
    }
}
