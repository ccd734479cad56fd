import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// Alarms of events near a change of the clocks, and of events whose start is cancelled or moved.
@Suite struct CalendarClockTests {
    /// Saturday, 21 November 2026.
    private static let today = Instant(microseconds: 1_795_258_800_000_000)

    /// Imports these events in a zone; returns the dates of their requests, and the errors.
    private static func read(
        _ events: [String], in zone: String = "Europe/Berlin", at now: Instant = today,
        mostRequests: Int = Limits.pending.most
    ) throws -> (dates: [String], errors: [ToolError]) {
        var zones = ZoneDirectory(environment: [:], files: .system, report: { _ in })
        let found = zones.rules(named: zone)
        let rules = try #require(found)
        let environment = ToolEnvironment(
            variables: [:], directory: "/tmp", now: now, zone: rules,
            reactor: Reactor.hosted("unused"))
        let text = events.map { "BEGIN:VEVENT\nUID:u\nSUMMARY:S\n\($0)\nEND:VEVENT\n" }.joined()
        let calendar = ("BEGIN:VCALENDAR\n" + text + "END:VCALENDAR\n")
            .replacing("\n", with: "\r\n")
        let (items, errors) = ICalendarImport(
            environment: environment, withoutAlarms: true, mostRequests: mostRequests
        ).items(of: calendar)
        let dates = items.map { item in
            guard case .at(let date) = item.request.trigger else { return "no date" }
            return environment.zone.rfc3339(date)
        }
        return (dates.sorted(), errors)
    }

    private static func dates(
        _ events: [String], in zone: String = "Europe/Berlin", at now: Instant = today
    ) throws -> [String] {
        try read(events, in: zone, at: now).dates
    }

    @Test func `Exchange's name of UTC is a zone`() throws {
        let line = #"DTSTART;TZID="tzone://Microsoft/Utc":20261124T100000"#
        let (dates, errors) = try Self.read([line])
        #expect(dates == ["2026-11-24T11:00:00+01:00"])
        #expect(errors.isEmpty)
    }

    /// Apple's and Google's calendars write the action NONE.
    @Test func `an alarm with the action NONE does not count as an alarm of its event`() throws {
        let none =
            "\nBEGIN:VALARM\nACTION:NONE\n"
            + "TRIGGER;VALUE=DATE-TIME:19760401T005545Z\nEND:VALARM"
        let alarm = "\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM"
        let start = "DTSTART:20261124T100000"
        #expect(try Self.dates([start + none]) == ["2026-11-24T10:00:00+01:00"])
        #expect(try Self.dates([start + none + alarm]) == ["2026-11-24T09:45:00+01:00"])
    }

    /// Without a limit, the alarms of a mailed calendar could fill the memory.
    @Test func `an import takes only the first 32 alarms of an event`() throws {
        let alarms = (1...1_000).map { "BEGIN:VALARM\nTRIGGER:-PT\($0)S\nEND:VALARM" }
        let lines = ["DTSTART:20261124T100000"] + alarms
        let (dates, errors) = try Self.read([lines.joined(separator: "\n")])
        #expect(dates.count == Limits.calendarAlarms.most)
        #expect(dates.last == "2026-11-24T09:59:59+01:00")
        #expect(errors.map(\.message).count { $0.contains("more than 32 alarms") } == 1)
    }

    /// Many events with many dates could fill the memory, too.
    @Test func `an import takes only the first events of a calendar with too many notifications`()
        throws
    {
        let events = ["20261124", "20261125", "20261126"].map { day in
            "DTSTART:\(day)T100000\nRDATE:\(day)T110000"
        }
        let (dates, errors) = try Self.read(events, mostRequests: 3)
        #expect(
            dates == [
                "2026-11-24T10:00:00+01:00", "2026-11-24T11:00:00+01:00",
                "2026-11-25T10:00:00+01:00", "2026-11-25T11:00:00+01:00",
            ])
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains("more than 3 notifications") == true)
    }

    /// Reading the text for each request would take minutes.
    @Test(.timeLimit(.minutes(1)))
    func `an import reads the long text of an event with many dates and alarms once`() throws {
        let alarms = (1...32).map { "BEGIN:VALARM\nTRIGGER:-PT\($0)S\nEND:VALARM" }
        let lines =
            [
                "DESCRIPTION:" + String(repeating: "x", count: 1 << 20),
                "DTSTART:20261124T100000", "RRULE:FREQ=DAILY", "EXDATE:20261125T100000",
            ] + alarms
        let (dates, _) = try Self.read([lines.joined(separator: "\n")])
        #expect(dates.count == Limits.calendarAlarms.most * Limits.calendarDates.most)
    }

    /// Each of up to 2,048 requests would get a copy of the title and of the identifier.
    @Test func `an import cuts the long title of an event`() {
        let environment = ToolEnvironment(
            variables: [:], directory: "/tmp", now: Self.today, zone: .fixed(0),
            reactor: Reactor.hosted("unused"))
        let title = String(repeating: "x", count: Limits.calendarText.most + 1)
        let items = ICalendarImport(environment: environment).items(
            of: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nSUMMARY:\(title)\n"
                + "DTSTART:20261124T100000\nEND:VEVENT\nEND:VCALENDAR\n"
        ).items
        #expect(items.map(\.request.content.title) == [String(title.dropLast())])
    }

    @Test func `an import leaves out an event whose identifier is too long`() throws {
        let date = String(repeating: "x", count: Limits.identifier.most)
        let (dates, errors) = try Self.read(["RECURRENCE-ID:\(date)\nDTSTART:20261124T100000"])
        #expect(dates.isEmpty)
        #expect(errors.contains { $0.message.contains("has more than 1024 bytes") })
    }

    /// Reading all changed dates for each copy of an event could take hours.
    @Test func `an import takes only the first copies of an event with too many changed dates`()
        throws
    {
        let changed = ["20251124", "20251125"].map { day in
            "RECURRENCE-ID:\(day)T100000\nDTSTART:\(day)T110000"
        }
        let copies = Array(repeating: "DTSTART:20251124T100000\nRRULE:FREQ=DAILY;COUNT=3", count: 4)
        let (dates, errors) = try Self.read(changed + copies, mostRequests: 3)
        #expect(dates.isEmpty, "all dates are past")
        #expect(errors.count == 2)
        #expect(errors.allSatisfy { $0.message.contains("or changed dates") })
    }

    /// Counting the dates of each recurrence for each of its alarms could take hours, too.
    @Test func `an import takes only the first events of a calendar that counts too many dates`()
        throws
    {
        let event = "DTSTART:20261120T100000\nRRULE:FREQ=DAILY;COUNT=200"
        let (dates, errors) = try Self.read([event, event, event], mostRequests: 3)
        #expect(dates == ["no date", "no date"], "each event becomes a rule")
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains("COUNT have more than 300 dates") == true)
    }

    @Test(arguments: [
        // 28 March 2027 has 23 hours, 31 October 2027 has 25.
        ("DTSTART;VALUE=DATE:20270328", "2027-03-28T09:00:00+02:00"),
        ("DTSTART;VALUE=DATE:20271031", "2027-10-31T09:00:00+01:00"),
        (
            "DTSTART:20270327T220000\nDTEND:20270328T100000\n"
                + "BEGIN:VALARM\nTRIGGER;RELATED=END:PT0S\nEND:VALARM", "2027-03-28T10:00:00+02:00"
        ),
    ])
    func `an alarm keeps its time when the clocks change before it`(
        event: String, date: String
    ) throws {
        #expect(try Self.dates([event]) == [date])
    }

    /// A recurrence without a cancelled date becomes a rule, whose alarms also count on the wall
    /// clock.
    @Test(arguments: [
        ("-P1D", "2027-03-27T10:00:00+01:00"), ("-PT24H", "2027-03-27T09:00:00+01:00"),
        ("-P1DT2H", "2027-03-27T08:00:00+01:00"), ("-P1W", "2027-03-21T10:00:00+01:00"),
    ])
    func `an alarm's days count on the wall clock, and its hours are exact`(
        trigger: String, date: String
    ) throws {
        let alarm = "\nBEGIN:VALARM\nTRIGGER:\(trigger)\nEND:VALARM"
        // On 28 March 2027, the clocks go from 2:00 to 3:00.
        #expect(try Self.dates(["DTSTART:20270328T100000" + alarm]) == [date])
        let recurrence = "DTSTART:20270328T100000\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20270329T100000"
        #expect(try Self.dates([recurrence + alarm]) == [date])
        let end = alarm.replacing("TRIGGER", with: "TRIGGER;RELATED=END")
        for length in [
            "DTSTART:20270327T100000\nDURATION:P1D",
            "DTSTART:20270320T100000\nDTEND:20270328T100000",
        ] {
            #expect(try Self.dates([length + end]) == [date])
        }
    }

    @Test func `an alarm due in half an hour, a day before a clock gap ends, is imported`() throws {
        let now = try #require(Instant(rfc3339: "2027-03-27T02:30:00+01:00"))
        let event =
            "DTSTART:20270328T030000\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20270329T030000"
            + "\nBEGIN:VALARM\nTRIGGER:-P1D\nEND:VALARM"
        #expect(try Self.dates([event], at: now) == ["2027-03-27T03:00:00+01:00"])
    }

    @Test(arguments: [
        ("", "2027-03-14T09:00:00-04:00"),
        ("\nBEGIN:VALARM\nTRIGGER:-PT15H\nEND:VALARM", "2027-03-13T09:00:00-05:00"),
        ("\nRDATE;VALUE=DATE:20261101", "2027-03-14T09:00:00-04:00"),
    ])
    func `an alarm counts from 0:00 of its day even if the day begins at 1:00`(
        lines: String, date: String
    ) throws {
        // In Havana, 14 March 2027 begins at 1:00.
        let event = "DTSTART;VALUE=DATE:20270314" + lines
        #expect(try Self.dates([event], in: "America/Havana") == [date])
    }

    /// The recurrence's end minus 24 hours is an hour before the last alarm.
    @Test(arguments: [
        (15, 0, ["2027-03-20T10:00:00+01:00", "2027-03-27T10:00:00+01:00"]),
        (27, 9, ["2027-03-27T10:00:00+01:00"]),
    ])
    func `a recurrence keeps its last alarm if the clocks change between alarm and event`(
        day: Int, hour: Int, expected: [String]
    ) throws {
        var zones = ZoneDirectory(environment: [:], files: .system, report: { _ in })
        let found = zones.rules(named: "Europe/Berlin")
        let zone = try #require(found)
        let start = CivilTime(year: 2027, month: 3, day: 14, hour: 10)
        let now = zone.instant(of: CivilTime(year: 2027, month: 3, day: day, hour: hour))
        let ends: [(String, Int?)] = [
            ("UNTIL=20270328T080000Z", nil), ("COUNT=3", expected.count),
        ]
        for (end, count) in ends {
            let recurrence = try #require(
                ICalendarRecurrence("FREQ=WEEKLY;" + end, zone: "Europe/Berlin"))
            let rule = try #require(recurrence.rule(start: start, shiftedBy: 0))
            let series = RecurrenceSeries(
                rule: rule, recurrence: recurrence, first: zone.instant(of: start), zone: zone)
            let left = try #require(series.remaining(after: now, shiftedBy: -86_400))
            #expect(left.count == count)
            var alarms = try #require(recurrence.rule(start: start, shiftedBy: -86_400))
            (alarms.until, alarms.count) = (left.until, left.count)
            let dates = alarms.dates(after: now, in: zone, limit: 5)
            #expect(dates.map { zone.rfc3339($0.instant) } == expected)
        }
    }

    @Test func `on the day of a clock change, an alarm due within the hour is imported`() throws {
        // 8:30 on 25 October 2026, a day of 25 hours.
        let now = Instant(microseconds: 1_792_913_400_000_000)
        let event = "DTSTART;VALUE=DATE:20261025\nRRULE:FREQ=DAILY;COUNT=3"
        #expect(
            try Self.dates([event + "\nEXDATE;VALUE=DATE:20261026"], at: now)
                == ["2026-10-25T09:00:00+01:00", "2026-10-27T09:00:00+01:00"])
    }

    /// The 71st date is in April 2026, before the import.
    @Test(
        arguments: [
            ("71", []), ("72", ["no date"]),
            ("73\nEXDATE:20270412T100000", ["2028-04-12T10:00:00+02:00"]),
        ] as [(String, [String])])
    func `a recurrence with a count also counts its dates before 1970`(
        count: String, dates: [String]
    ) throws {
        let event = "DTSTART:19560412T100000\nRRULE:FREQ=YEARLY;COUNT="
        #expect(try Self.dates([event + count]) == dates)
    }

    @Test func `a start that is cancelled or moved has no alarm`() throws {
        #expect(
            try Self.dates([
                "DTSTART:20270401T100000\nRDATE:20270405T100000\n"
                    + "EXDATE:20270401T100000,20270405T100000"
            ]) == [])
        #expect(
            try Self.dates([
                "DTSTART:20270501T100000\nRDATE:20270505T100000\nEXDATE:20270505T100000",
                "RECURRENCE-ID:20270501T100000\nDTSTART:20270502T120000",
            ]) == ["2027-05-02T12:00:00+02:00"])
    }

    /// The daemon may lack the variable `TZ`, so the rule must name the zone.
    @Test func `an event without a zone becomes a rule with the zone that TZ defines`() {
        let environment = ToolEnvironment(
            variables: ["TZ": "<XYZ>-7:33"], directory: "/tmp",
            now: Instant(microseconds: 1_795_258_800_000_000),
            zone: .fixed(27_180, abbreviation: "XYZ"), reactor: Reactor.hosted("unused"))
        let items = ICalendarImport(environment: environment).items(
            of: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20261116T100000\n"
                + "RRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR\n"
        ).items
        let rule = NotificationRule("every day at 10:00", timeZone: "<XYZ>-7:33")
        #expect(items.map(\.request.trigger) == [.rule(rule)])
    }
}
