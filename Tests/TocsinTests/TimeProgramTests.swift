import Foundation
import TestSupport
import Testing

/// `skip`, `move`, `--past-ok` and `simulate`, with a real daemon, as a person uses them.
@Suite struct TimeProgramTests {
    /// A session of its own, in Berlin.
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

    @Test func aSkippedDateAndAMovedRequestAreTheOnesListed() async throws {
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

    @Test func aLengthOfTimeInTwoWordsIsUnderstoodAndWhatSaysNothingIsRefused() async throws {
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

    @Test func whatIsMovedKeepsItsPicture() async throws {
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
        // Now, which shows what was kept.
        let moved = try await session.tocsin("move", "tea", "2001-01-01 8am", "--past-ok")
        #expect(moved.status == 0, "\(moved.errors)")
        #expect(moved.output == "tea: now; 2001-01-01T08:00:00+01:00 is past")
        let shown = try await server.calls.first("the popup") { $0.summary == "Tea" }
        #expect(shown.hints["image-path"] != nil)
        #expect(shown.actions.map(\.label).first == "Yes")
        await server.stop()
    }

    @Test func aPastTimeIsRefusedOrShownNow() async throws {
        let session = try Session()
        let server = try await ScriptedServer.start(on: session.bus)
        let refused = try await session.tocsin("at", "2001-01-01 8am", "Late")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("'--past-ok'"))
        #expect(try await session.tocsin("at", "2001-01-01 8am", "Late", "--past-ok").status == 0)
        try await server.calls.first("the popup") { $0.summary == "Late" }
        #expect(server.calls.all.count == 1)
        await server.stop()
    }

    @Test func aSimulationTellsTheYearAndLeavesTheStoreAlone() async throws {
        let session = try Session()
        let none = try await session.tocsin("simulate")
        #expect(none.status == 1 && none.errors.contains("There is no store"), "\(none.errors)")
        for (rule, identifier) in [
            ("day at 2:30", "night"), ("monday at 9", "week"), ("month on the 1st at 12", "month"),
        ] {
            _ = try await session.tocsin("every", rule, "--id", identifier, identifier)
        }
        _ = try await session.tocsin("skip", "week")
        let before = try await session.tocsin("list", "--json").output
        let run = try await session.tocsin(
            "simulate", "--from", "2027-03-01", "--for", "1 month", "--suspend", "day at 1 for 3h",
            "--json")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        func count(_ text: String) -> Int { lines.count { $0.contains(text) } }
        #expect(count(#""id":"night""#) == 31)
        #expect(count("late: suspended since") == 31)
        #expect(count("02:30:00 does not exist on 2027-03-28") == 1)
        #expect(count(#""id":"week""#) == 5 && count(#""id":"month""#) == 1)
        #expect(count(#""outcome":"rings""#) == lines.count)
        let text = try await session.tocsin("simulate", "--for", "1mo", "--limit", "1")
        #expect(text.output.split(separator: "\n").count == 1)
        #expect(text.errors.contains("'--limit 0' prints all"))
        #expect(try await session.tocsin("list", "--json").output == before)
    }

    @Test func aSimulationNeedsNoBus() async throws {
        let bus = try PrivateBus()
        let run = try await ProgramTests.run(
            "tocsin", ["every", "day at 9", "Pills"], environment: bus.environment)
        #expect(run.status == 0, "\(run.errors)")
        var environment = bus.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
        let simulation = try await ProgramTests.run(
            "tocsin", ["simulate", "--for", "2d"], environment: environment)
        #expect(simulation.status == 0, "\(simulation.errors)")
        #expect(simulation.output.split(separator: "\n").count == 2)
    }

    @Test(
        arguments: [
            ["simulate", "--from", "2027-33-01"], ["simulate", "--tz", "Mars/Base"],
            ["simulate", "--for", "a while"], ["simulate", "--suspend", "nonsense"],
        ])
    func whatASimulationCannotReadHasStatus65(arguments: [String]) async throws {
        let run = try await ProgramTests.run(
            "tocsin", arguments,
            environment: ["HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"])
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains("^") || run.errors.contains("Mars/Base"))
    }

    @Test func theHiddenModeIsNotForPeople() async throws {
        let run = try await ProgramTests.run(
            "tocsind", ["simulate", "me"], environment: ["HOME": "/nonexistent"])
        #expect(run.status == 64 && run.errors.contains("tocsin simulate --help"))
    }
}
