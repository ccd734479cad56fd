import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// Times and rules on the command line.
@Suite struct TimeCommandTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east, with the system's named zones.
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static func moment(_ arguments: [String]) throws -> ScheduleTime {
        let words = ["schedule", "Title"] + arguments
        guard case .command(let command) = try Invocation.parse(words),
            let moment = try (command as? ScheduleCommand)?.when.moment(in: environment)
        else { throw ToolError(.failure, "not a schedule command") }
        return moment
    }

    /// The time and the title of `tocsin at`.
    private static func read(_ words: [String]) throws -> (moment: ScheduleTime, title: String) {
        guard case .command(let command) = try Invocation.parse(["at"] + words),
            let at = command as? AtCommand
        else { throw ToolError(.failure, "not an at command") }
        var texts = TextArguments.titled(with: at.words)
        let parser = try ScheduleTimeParser(at.bounds, in: environment)
        return (try LeadingDate.read(at.time, before: &texts, by: parser), texts.summary)
    }

    private static func late(_ arguments: [String]) throws -> NotificationRequest {
        guard case .command(let command) = try Invocation.parse(arguments) else {
            throw ToolError(.failure, "not a command")
        }
        let late: LateOptions? =
            switch command {
            case let schedule as ScheduleCommand: schedule.late
            case let at as AtCommand: at.late
            case let span as InCommand: span.late
            case let every as EveryCommand: every.late
            default: nil
            }
        guard let late else { throw ToolError(.failure, "not a scheduling command") }
        var request = NotificationRequest(identifier: "r", content: NotificationContent())
        try late.apply(to: &request)
        return request
    }

    private static func place(_ arguments: [String]) throws -> NotificationRegion? {
        guard
            case .command(let command) = try Invocation.parse(["schedule", "Title"] + arguments),
            let schedule = command as? ScheduleCommand
        else { throw ToolError(.failure, "not a schedule command") }
        return try schedule.place.region()
    }

    @Test(
        arguments: [
            (["--near", "52.52,13.405", "--radius", "200"], 52.52, 13.405, true),
            (["--near", "-33.9, 18.4", "--radius", "200"], -33.9, 18.4, true),
            (["--near=90,-180", "--radius=200", "--on-exit"], 90, -180, false),
        ])
    func `a region is read from its options`(
        arguments: [String], latitude: Double, longitude: Double, onEntry: Bool
    ) throws {
        let region = try #require(try Self.place(arguments))
        #expect((region.latitude, region.longitude) == (latitude, longitude))
        #expect(region.radius == 200 && region.isValid)
        #expect(region.onEntry == onEntry && region.onExit == !onEntry)
    }

    @Test(
        arguments: [
            ("91,0", "200", "'91' is not a latitude", "  91,0\n  ^~"),
            ("0,181", "200", "'181' is not a longitude", "  0,181\n    ^~~"),
            ("0, x", "200", "'x' is not a longitude", "  0, x\n     ^"),
            ("nan,0", "200", "'nan' is not a latitude", "  nan,0\n  ^~~"),
            ("0,", "200", "'' is not a longitude", "  0,\n    ^"),
            ("Berlin", "200", "'Berlin' is no place", "  Berlin\n  ^~~~~~"),
            ("1,2,3", "200", "'1,2,3' is no place", "  1,2,3\n  ^~~~~"),
            ("1,2", "0", "'0' is not a radius", "  0\n  ^"),
            ("1,2", "-5", "'-5' is not a radius", "  -5\n  ^~"),
            ("1,2", "inf", "'inf' is not a radius", "  inf\n  ^~~"),
            ("1,2", "2km", "'2km' is not a radius", "  2km\n  ^~~"),
        ])
    func `the error about a bad place or radius has a caret`(
        near: String, radius: String, message: String, pointer: String
    ) {
        let error = #expect(throws: ToolError.self) {
            try Self.place(["--near", near, "--radius", radius])
        }
        #expect(error?.status == .data)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.detail == pointer, "\(error?.detail ?? "")")
    }

    @Test(arguments: [
        ["--near", "1,2"], ["--radius", "5", "--in", "5m"], ["--on-exit", "--in", "5m"],
        ["--near", "1,2", "--radius", "5", "--in", "5m"],
        ["--near", "1,2", "--radius", "5", "--until", "8am"],
    ])
    func `options of a place that do not belong together are refused`(arguments: [String]) {
        let error = #expect(throws: ToolError.self) { try Self.place(arguments) }
        #expect(error?.status == .usage)
    }

    @Test(arguments: [
        ["schedule", "Tea", "--in", "3m"], ["in", "3m", "Tea"], ["at", "8am", "Tea"],
        ["every", "day at 9", "Tea"],
    ])
    func `every scheduling command takes --catch-up and --grace`(command: [String]) throws {
        let plain = try Self.late(command)
        #expect(plain.catchUp == .once)
        #expect(plain.grace == nil)
        let both = try Self.late(command + ["--catch-up", "skip", "--grace", "1h30m"])
        #expect(both.catchUp == .skip)
        #expect(both.grace == 5_400)
        #expect(try Self.late(command + ["--catch-up", "once"]).catchUp == .once)
        let unknown = #expect(throws: ToolError.self) {
            try Self.late(command + ["--catch-up", "twice"])
        }
        #expect(unknown?.status == .usage)
        let error = #expect(throws: ToolError.self) { try Self.late(command + ["--grace", "5"]) }
        #expect(error?.status == .data)
        let object = NotificationJSON(zone: Self.environment.zone).object(
            .pending(
                PendingNotification(app: .tocsin, request: both, state: .pending, nextFire: nil))
        ).text
        #expect(object.hasSuffix(#""catchUp":"skip","grace":5400}"#), "\(object)")
        let usual = NotificationJSON(zone: Self.environment.zone).object(
            .pending(
                PendingNotification(app: .tocsin, request: plain, state: .pending, nextFire: nil))
        ).text
        #expect(!usual.contains("catchUp"))
    }

    private static func next(_ arguments: [String]) throws -> NextCommand {
        guard case .command(let command) = try Invocation.parse(["next"] + arguments),
            let next = command as? NextCommand
        else { throw ToolError(.failure, "not a next command") }
        return next
    }

    private static func lines(_ arguments: [String]) throws -> [String] {
        try next(arguments).lines(in: environment)
    }

    @Test func `a rule reaches the daemon in its canonical form`() throws {
        let end = Instant(microseconds: 1_795_766_400_000_000)
        #expect(
            try Self.moment(["--every", "weekday at 9", "--until", "@1795766400"]).trigger
                == .rule(NotificationRule("every weekday at 09:00", until: end)))
        #expect(
            try Self.moment(["--cron", "@daily", "--count", "3", "--tz", "Asia/Tokyo"]).trigger
                == .rule(NotificationRule("cron 0 0 * * *", timeZone: "Asia/Tokyo", count: 3)))
        #expect(
            try Self.moment(["--on-calendar", "Mon 9:00 Asia/Tokyo"]).trigger
                == .rule(NotificationRule("calendar Mon *-*-* 09:00:00 Asia/Tokyo")))
        #expect(
            try Self.moment(["--every", "2 weeks on fri at 9"]).trigger
                == .rule(
                    NotificationRule("every 2 weeks on friday at 09:00 from 2026-11-27")))
    }

    /// Without the zone, the tool would print a date in the zone of `TZ`, and the daemon would fire
    /// in the zone of the system.
    @Test(
        arguments: [
            ("<XYZ>-7:33", "day at 9", "<XYZ>-7:33"), ("<XYZ>-7:33", "15m", nil),
            ("localtime", "day at 9", nil), ("No/Such", "day at 9", nil),
        ] as [(String, String, String?)])
    func `a rule reaches the daemon with the zone that TZ defines`(
        variable: String, text: String, zone: String?
    ) throws {
        let environment = ToolEnvironment(
            variables: ["TZ": variable], directory: "/tmp", now: Self.environment.now,
            zone: Self.environment.zone, reactor: Reactor.hosted("unused"))
        guard case .command(let command) = try Invocation.parse(["every", text, "Tea"]),
            let every = command as? EveryCommand,
            case .rule(let rule) = try ScheduleTimeParser(every.bounds, in: environment)
                .words(text).trigger
        else { throw ToolError(.failure, "not a rule") }
        #expect(rule.timeZone == zone)
    }

    /// The help's example `--until 2027-01-01` has no time of day.
    @Test func `a rule fires on the day of its end, too`() throws {
        #expect(
            try Self.lines(["day at 18", "-n", "9", "--until", "2026-11-22", "--json"]) == [
                #"{"fire":"2026-11-21T18:00:00+01:00","note":null}"#,
                #"{"fire":"2026-11-22T18:00:00+01:00","note":null}"#,
            ])
        #expect(
            try Self.lines(
                ["day at 18", "-n", "9", "--until", "2026-11-22", "--tz", "Asia/Tokyo", "--json"])
                == [#"{"fire":"2026-11-22T18:00:00+09:00","note":null}"#])
    }

    @Test(arguments: ["2026-01-02", "fri 20:00"])
    func `the time of --until is read relative to the time of --after`(
        end: String
    ) throws {
        #expect(
            try Self.lines(
                ["day at 18", "-n", "9", "--after", "2026-01-01", "--until", end, "--json"])
                == [
                    #"{"fire":"2026-01-01T18:00:00+01:00","note":null}"#,
                    #"{"fire":"2026-01-02T18:00:00+01:00","note":null}"#,
                ])
    }

    @Test func `a phrase for one date becomes an interval or an instant`() throws {
        #expect(
            try Self.moment(["--in", "10m"]).trigger == .interval(seconds: 600, repeats: false))
        let six = Instant(microseconds: 1_798_131_600_000_000)
        #expect(try Self.moment(["--at", "2026-12-24 18:00"]).trigger == .at(six))
        #expect(
            try Self.moment(["--at", "2026-12-24 18:00", "--tz", "Europe/Berlin"]).trigger
                == .at(six))
        #expect(try Self.moment(["--at", "2026-12-24 18:00 Europe/Berlin"]).trigger == .at(six))
        #expect(try Self.moment(["--at", "*-12-24 18:00"]).trigger == .at(six))
    }

    @Test(
        arguments: [
            (["8am America/New_York"], "2026-11-21T08:00:00-05:00"),
            (["tomorrow 8am Europe/Berlin"], "2026-11-22T08:00:00+01:00"),
            (["fri 15:00 Asia/Tokyo"], "2026-11-27T15:00:00+09:00"),
            (["8am Asia/Tokyo", "--tz", "Asia/Tokyo"], "2026-11-22T08:00:00+09:00"),
            (["noon", "--after", "2026-11-30 8am Asia/Tokyo"], "2026-11-30T12:00:00+01:00"),
        ])
    func `a time may end in the name of its zone`(arguments: [String], fire: String) throws {
        #expect(try Self.lines(arguments + ["--json"]) == [#"{"fire":"\#(fire)","note":null}"#])
    }

    /// If the tool did not read the zone, the zone would become a word of the title, and the time
    /// would be in the user's zone.
    @Test(arguments: [["tomorrow", "8am", "Asia/Tokyo", "Call"], ["8am", "Asia/Tokyo", "Call"]])
    func `a time without quotes may end in the name of its zone`(words: [String]) throws {
        let (moment, title) = try Self.read(words)
        #expect(moment.zone.rfc3339(moment.first.instant) == "2026-11-22T08:00:00+09:00")
        #expect(title == "Call")
    }

    /// If the tool only ignored the zone, the zone would become a word of the title, and the time
    /// would be in another zone.
    @Test(
        arguments: [
            (["today", "13:00", "Asia/Tokyo", "Call"], "has passed"),
            (["8am", "Asia/Tokyo", "Call", "--tz", "Europe/Berlin"], "another one"),
        ])
    func `a time without quotes is refused if its zone makes the time unusable`(
        words: [String], reason: String
    ) throws {
        let error = #expect(throws: ToolError.self) { try Self.read(words) }
        #expect(error?.text.contains(reason) == true)
    }

    @Test func `the end of a rule may have another zone than the rule`() throws {
        let end = Instant(microseconds: 1_798_131_600_000_000)
        let moment = try Self.moment(
            ["--every", "day at 9", "--until", "2026-12-25 2:00 Asia/Tokyo"])
        #expect(
            moment.trigger == .rule(NotificationRule("every day at 09:00", until: end)))
    }

    @Test(
        arguments: [
            (["in", "10m", "Tea", "is", "ready"], "Tea is ready"),
            (["at", "8am", "Get up", "--urgency", "low"], "Get up"),
            (["every", "day at 9", "Pills", "--count", "3"], "Pills"),
        ])
    func `the short forms use their words as the title`(arguments: [String], title: String) throws {
        guard case .command(let command) = try Invocation.parse(arguments) else {
            throw ToolError(.failure, "not a command")
        }
        let words =
            switch command {
            case let short as InCommand: short.words
            case let short as AtCommand: short.words
            case let short as EveryCommand: short.words
            default: throw ToolError(.failure, "not a short form")
            }
        let texts = TextArguments.titled(with: words)
        #expect(texts.summary == title)
        #expect(texts.body.isEmpty)
    }

    @Test func `the command next prints the documented JSON`() throws {
        #expect(
            try Self.lines(["day at 9", "-n", "2", "--json"]) == [
                #"{"fire":"2026-11-22T09:00:00+01:00","note":null}"#,
                #"{"fire":"2026-11-23T09:00:00+01:00","note":null}"#,
            ])
        let note = "02:30:00 does not exist on 2027-03-28: the clocks go from 02:00:00 to 03:00:00"
        for when in [["--every", "day at 2:30"], ["--cron", "30 2 * * *"], ["--at", "2:30"]] {
            let lines = try Self.lines(
                when + ["--after", "2027-03-27 12:00", "--tz", "Europe/Berlin", "--json"])
            #expect(lines == [#"{"fire":"2027-03-28T03:00:00+02:00","note":"\#(note)"}"#])
        }
    }

    @Test func `the command next prints the distance, and the reason of a moved time`() throws {
        #expect(
            try Self.lines(["day at 9", "--tz", "Asia/Tokyo"])
                == ["Sun 2026-11-22 09:00:00 JST (in 13 h)"])
        let lines = try Self.lines(
            ["day at 2:30", "--after", "2027-03-28", "--tz", "Europe/Berlin"])
        #expect(
            lines.first?.hasSuffix(
                "; 02:30:00 does not exist on 2027-03-28: the clocks go from "
                    + "02:00:00 to 03:00:00") == true)
    }

    @Test(
        arguments: [
            ("weekday at 9:30", "2026-11-23T09:30:00+01:00"), ("15m", "2026-11-21T12:15:00+01:00"),
            ("in 15m", "2026-11-21T12:15:00+01:00"), ("fri 15:00", "2026-11-27T15:00:00+01:00"),
            ("30 9 * * 1-5", "2026-11-23T09:30:00+01:00"), ("@daily", "2026-11-22T00:00:00+01:00"),
            ("17 *\t* * *", "2026-11-21T12:17:00+01:00"),
            ("daily", "2026-11-22T00:00:00+01:00"), ("*-12-24 18:00", "2026-12-24T18:00:00+01:00"),
            ("Mon,Tue 9:00", "2026-11-23T09:00:00+01:00"),
            ("@1798131600", "2026-12-24T18:00:00+01:00"),
            ("month on the last day", "2026-11-30T00:00:00+01:00"),
            ("cron 0 12 * * *", "2026-11-22T12:00:00+01:00"),
            ("calendar 12:00 UTC", "2026-11-21T12:00:00+00:00"),
            ("every monday at noon", "2026-11-23T12:00:00+01:00"),
        ])
    func `a time may be a phrase, a rule, a cron line or a calendar expression`(
        text: String, fire: String
    ) throws {
        #expect(try Self.lines([text, "--json"]) == [#"{"fire":"\#(fire)","note":null}"#])
    }

    @Test(
        arguments: [
            (["wekday at 9"], "did you mean 'weekday'"),
            (["tomorow 8am"], "did you mean 'tomorrow'"),
            (["61 * * * *"], "no such minute"), (["@reboot"], "names no date"),
            (["*-13-01"], "no such month"), (["--every", "nonsense"], "Unknown word 'nonsense'"),
            (["--cron", "0 9"], "five fields"), (["--on-calendar", "2020-01-01"], "never fires"),
            (["--on-calendar", "9:00 Mars/Base"], "no time zone 'Mars/Base'"),
            (["day at 9", "--tz", "Mars/Base"], "no time zone 'Mars/Base'"),
            (["--on-calendar", "9:00 UTC", "--tz", "Asia/Tokyo"], "another one"),
            (["--at", "8am Asia/Tokyo", "--tz", "Europe/Berlin"], "another one"),
            (["--at", "tomorrow Europe/Berlin"], "time of day is missing"),
            (["--at", "8am Mars/Base"], "'Mars/Base' cannot be used here"),
            (["day at 9", "--until", "@1795262400"], "before '--until'"),
            (["day at 9", "--after", "someday"], "Unknown word"),
            (["2026-01-01 9:00"], "has passed"), ([""], "is empty"),
            // The error must come from the grammar of a TIME: other grammars do not know the words.
            (["tomorrow"], "time of day is missing"), (["25:00"], "no such time of day"),
            // The error must not treat this word as a misspelled 'day'.
            (["today"], "time of day is missing"),
            (["2027-02-29 9am"], "no such day"), (["13pm"], "from 1 to 12"),
            (["2 wekes on friday"], "did you mean 'weeks'"),
            (["1h 30 mni"], "did you mean 'min'"),
            // The error must not treat this word as a misspelled 'mon'.
            (["month on the 32nd"], "no such day; days go from 1st to 31st"),
            (["month on friday"], "A day of the month was expected at 'friday'"),
            (["day at 9", "--until", "2026-11-20"], "passed; give a later end\n  2026-11-20\n"),
            // This end has not passed, but lies before the start.
            (["day at 9", "--after", "2027-01-01", "--until", "2026-12-01"], "before '--until'"),
            // A time that fires only once must not ignore these bounds.
            (["8am", "--count", "2"], "'--count' belongs to a rule"),
            (["in 15m", "--until", "@1798131600"], "'--until' belongs to a rule"),
        ])
    func `an unreadable or impossible time exits with status 65`(
        arguments: [String], text: String
    ) throws {
        let error = try #require(throws: ToolError.self) { try Self.lines(arguments) }
        #expect(error.status == .data)
        #expect(error.text.contains(text), "\(error.text)")
    }

    @Test(
        arguments: [
            (["next"], "The time is missing"), (["next", "a", "--in", "1m"], "exclude each other"),
            (["next", "-n", "0", "day at 9"], "from 1"),
            (["schedule", "a", "--every", "day at 9", "--cron", "@daily"], "exclude each other"),
            (["schedule", "a", "--in", "1m", "--count", "2"], "belongs to a rule"),
            (["at", "8am", "a", "--until", "9am"], "belongs to a rule"),
            (["every", "day at 9", "a", "--count", "0"], "at least 1"),
            (["in", "10m"], "<summary>"),
        ])
    func `a wrong command line has status 64`(arguments: [String], text: String) throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(arguments) }
        #expect(error.status == .usage)
        #expect(error.message.contains(text), "\(error.message)")
    }
}
