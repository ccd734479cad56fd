import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// iCalendar events, tasks and alarms, and the requests that they become.
@Suite(.timeLimit(.minutes(5))) struct CalendarImportTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp",
        now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static func read(
        _ lines: String, component: String = "VEVENT", withoutAlarms: Bool = true
    ) -> (items: [ImportItem], errors: [ToolError]) {
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:\(component)\r\nUID:u\r\nSUMMARY:S\r\n"
            + lines.replacing("\n", with: "\r\n") + "\r\nEND:\(component)\r\nEND:VCALENDAR\r\n"
        return ICalendarImport(environment: environment, withoutAlarms: withoutAlarms)
            .items(of: text)
    }

    /// Each request as `identifier: date` or `identifier: rule, zone, until, count`.
    private static func texts(_ lines: String, component: String = "VEVENT") -> [String] {
        let (items, errors) = read(lines, component: component)
        return items.map { item in
            switch item.request.trigger {
            case .at(let date):
                "\(item.request.identifier): \(environment.zone.rfc3339(date))"
            case .rule(let rule):
                "\(item.request.identifier): \(rule.text), \(rule.timeZone ?? "-"), "
                    + "\(rule.until.map { ZoneRules.fixed(0).rfc3339($0) } ?? "-"), "
                    + (rule.count.map(String.init) ?? "-")
            default: "?"
            }
        } + errors.map { "error \($0.status.rawValue)" }
    }

    private static let alarm = "\nBEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM"

    @Test(
        arguments: [
            ("DTSTART:20261124T100000", ["u: 2026-11-24T10:00:00+01:00"]),
            ("DTSTART:20261124T100000Z", ["u: 2026-11-24T11:00:00+01:00"]),
            ("DTSTART;TZID=America/New_York:20261124T100000", ["u: 2026-11-24T16:00:00+01:00"]),
            (
                "DTSTART;TZID=Somewhere:20261124T100000",
                ["u: 2026-11-24T10:00:00+01:00", "error 65"]
            ),
            ("DTSTART;TZID=Somewhere:20261124", ["u: 2026-11-24T09:00:00+01:00"]),
            ("DTSTART;TZID=Somewhere:20261124T100000Z", ["u: 2026-11-24T11:00:00+01:00"]),
            ("DTSTART;TZID=Somewhere:20261121T100000", []),
            ("DTSTART;VALUE=DATE:20261124", ["u: 2026-11-24T09:00:00+01:00"]),
            ("DTSTART:20261124T100000\(alarm)", ["u: 2026-11-24T09:45:00+01:00"]),
            (
                "DTSTART:20261124T100000\(alarm)\(alarm.replacing("15M", with: "0S"))",
                ["u: 2026-11-24T09:45:00+01:00", "u#2: 2026-11-24T10:00:00+01:00"]
            ),
            (
                "DTSTART:20261124T100000\nDURATION:PT1H\nBEGIN:VALARM\n"
                    + "TRIGGER;RELATED=END:P1D\nEND:VALARM",
                ["u: 2026-11-25T11:00:00+01:00"]
            ),
            (
                "DTSTART:20261124T100000\nDTEND;TZID=America/New_York:20261124T100000\n"
                    + "BEGIN:VALARM\nTRIGGER;RELATED=END:PT0S\nEND:VALARM",
                ["u: 2026-11-24T16:00:00+01:00"]
            ),
            (
                "DTSTART:20261124T100000\nBEGIN:VALARM\n"
                    + "TRIGGER;VALUE=DATE-TIME:20261123T080000Z\nEND:VALARM",
                ["u: 2026-11-23T09:00:00+01:00"]
            ),
            ("DTSTART:20261121T110000", []), ("DTSTART:20261121T121000\(alarm)", []),
            ("DTSTART:20261124T100000\nSTATUS:CANCELLED", []), ("SUMMARY:x", []),
            ("DTSTART:2026", ["error 65"]), ("DTSTART:20261324T100000", ["error 65"]),
        ])
    func `an event becomes one request for each alarm`(lines: String, texts: [String]) {
        #expect(Self.texts(lines) == texts)
    }

    @Test(
        arguments: [
            ("RRULE:FREQ=DAILY", ["u: every day at 10:00, -, -, -"]),
            ("RRULE:FREQ=DAILY;INTERVAL=3", ["u: every 3 days at 10:00 from 2026-11-16, -, -, -"]),
            ("RRULE:FREQ=WEEKLY", ["u: every monday at 10:00, -, -, -"]),
            ("RRULE:FREQ=WEEKLY;BYDAY=TU,TH\(alarm)", ["u: every tue,thu at 09:45, -, -, -"]),
            (
                "RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=MO",
                ["u: every 2 weeks on monday at 10:00 from 2026-11-16, -, -, -"]
            ),
            ("RRULE:FREQ=MONTHLY", ["u: every month on the 16th at 10:00, -, -, -"]),
            (
                "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,-1",
                ["u: every month on the 1st,last day at 10:00, -, -, -"]
            ),
            ("RRULE:FREQ=MONTHLY;BYDAY=3MO", ["u: every third monday of month at 10:00, -, -, -"]),
            ("RRULE:FREQ=MONTHLY;BYDAY=-1FR", ["u: every last friday of month at 10:00, -, -, -"]),
            ("RRULE:FREQ=YEARLY", ["u: every year on november 16 at 10:00, -, -, -"]),
            ("RRULE:FREQ=DAILY;COUNT=8", ["u: every day at 10:00, -, -, 2"]),
            ("RRULE:FREQ=DAILY;COUNT=3", []),
            (
                "RRULE:FREQ=DAILY;UNTIL=20261130T090000Z\(alarm)",
                ["u: every day at 09:45, -, 2026-11-30T08:45:00+00:00, -"]
            ),
            ("RRULE:FREQ=DAILY;UNTIL=20261120", []),
            // UNTIL is tomorrow, but the last date of the recurrence was on 2026-11-16.
            ("RRULE:FREQ=WEEKLY;UNTIL=20261122", []),
            (
                "RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20261130T100000",
                [
                    "u@2026-11-23: 2026-11-23T10:00:00+01:00",
                    "u@2026-12-07: 2026-12-07T10:00:00+01:00",
                ]
            ),
            (
                "RRULE:FREQ=DAILY\nRDATE:20261124T100000,20261124T150000",
                ["u: every day at 10:00, -, -, -", "u@2026-11-24: 2026-11-24T15:00:00+01:00"]
            ),
            (
                "RRULE:FREQ=DAILY;COUNT=2\nRDATE:20261124T100000",
                ["u@2026-11-24: 2026-11-24T10:00:00+01:00"]
            ),
            (
                "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20261130T100000\n"
                    + "RDATE:20261130T100000,20261201T100000",
                [
                    "u@2026-11-23: 2026-11-23T10:00:00+01:00",
                    "u@2026-12-01: 2026-12-01T10:00:00+01:00",
                ]
            ),
            ("RRULE:FREQ=HOURLY", ["error 65"]), ("RRULE:FREQ=WEEKLY;BYSETPOS=1", ["error 65"]),
            ("RRULE:FREQ=YEARLY;BYDAY=MO", ["error 65"]), ("RRULE:x", ["error 65"]),
            ("RRULE:FREQ=DAILY;INTERVAL=0", ["error 65"]),
        ])
    func `a recurrence becomes a rule`(lines: String, texts: [String]) {
        #expect(Self.texts("DTSTART:20261116T100000\n" + lines) == texts)
    }

    @Test func `each single date becomes a separate request`() {
        #expect(
            Self.texts(
                """
                DTSTART:20261120T100000
                RDATE:20261123T090000,20261123T150000Z
                RDATE;TZID=America/New_York:20261124T100000
                RDATE;VALUE=PERIOD:20261125T100000/PT1H
                """) == [
                    "u@2026-11-23T09:00:00: 2026-11-23T09:00:00+01:00",
                    "u@2026-11-23T16:00:00: 2026-11-23T16:00:00+01:00",
                    "u@2026-11-24: 2026-11-24T16:00:00+01:00",
                    "u@2026-11-25: 2026-11-25T10:00:00+01:00",
                ])
        #expect(
            Self.texts("DTSTART;VALUE=DATE:20261124\nRDATE;VALUE=DATE:20261125\(Self.alarm)") == [
                "u@2026-11-24: 2026-11-23T23:45:00+01:00",
                "u@2026-11-25: 2026-11-24T23:45:00+01:00",
            ])
    }

    @Test func `single dates beyond the limit are named in one message`() throws {
        let days = (1...30).map { $0 < 10 ? "0\($0)" : "\($0)" }
        let dates = ["12", "01", "03"].flatMap { month in
            days.map { "\(month == "12" ? 2026 : 2027)\(month)\($0)T100000" }
        }
        let (items, errors) = Self.read(
            "DTSTART:20261130T100000\nEXDATE:y\nRDATE:\(dates.joined(separator: ",")),x\(Self.alarm)"
        )
        #expect(items.count == Limits.calendarDates.most)
        #expect(
            errors.map(\.message) == [
                "'u': the RDATE value 'x' is no date and is left out.",
                "'u': the EXDATE value 'y' is no date, so it cancels no alarm.",
                "'u': 27 of its dates, from 2027-03-04T10:00:00+01:00 on, are left out: at most 64 are "
                    + "imported at once. Import the event again when the imported dates are over.",
            ])
    }

    @Test func `a rule keeps the zone of its event`() {
        #expect(
            Self.texts("DTSTART;TZID=Europe/Berlin:20261116T100000\nRRULE:FREQ=DAILY")
                == ["u: every day at 10:00, Europe/Berlin, -, -"])
    }

    /// Outlook and Evolution name their zones in these ways.
    @Test(
        arguments: [
            "Eastern Standard Time", "\"Eastern Standard Time\"",
            "/freeassociation.sourceforge.net/America/New_York",
            "/mozilla.org/20050126_1/America/New_York",
        ])
    func `a zone is found by a Windows name, and by a name that follows a prefix`(name: String) {
        let lines = "DTSTART;TZID=\(name):20261116T100000\nRRULE:FREQ=DAILY;COUNT=40"
        #expect(
            Self.texts(lines)
                == ["u: every day at 10:00, America/New_York, -, 35"])
        #expect(
            Self.texts(lines + "\nEXDATE;TZID=\(name):20261122T100000").first
                == "u@2026-11-21: 2026-11-21T16:00:00+01:00")
    }

    /// The import stores each searched name, so many searches could use up the memory.
    @Test func `a zone whose name follows a long prefix is found with few searches`() throws {
        let prefix = String(repeating: "/a", count: 10_000)
        let line = try #require(ICalendarLine("DTSTART;TZID=\(prefix)/Asia/Tokyo:20261124T100000"))
        var searches = 0
        let zone = line.zone { name in
            searches += 1
            return name == "Asia/Tokyo"
        }
        #expect(zone == "Asia/Tokyo" && searches <= 4)
    }

    @Test func `the system has a zone for each Windows name`() {
        for name in WindowsZones.names.values {
            #expect(Self.environment.rules(named: name) != nil, "\(name)")
        }
    }

    @Test func `a recurrence with its alarm in the previous month becomes single dates`() {
        let texts = Self.texts(
            "DTSTART:20261101T000000\nRRULE:FREQ=MONTHLY\(Self.alarm)")
        #expect(texts.count == Limits.calendarDates.most + 1 && texts.last == "error 65")
        #expect(texts.first == "u@2026-12-01: 2026-11-30T23:45:00+01:00")
        #expect(texts.dropFirst(2).first == "u@2027-02-01: 2027-01-31T23:45:00+01:00")
    }

    @Test func `a recurrence that begins in the future becomes single dates from its start`() {
        let texts = Self.texts("DTSTART:20270101T100000\nRRULE:FREQ=DAILY")
        #expect(texts.first == "u@2027-01-01: 2027-01-01T10:00:00+01:00")
        #expect(texts.count == Limits.calendarDates.most + 1 && texts.last == "error 65")
    }

    /// Only 64 dates of the endless recurrence are imported, so a warning names the last date.
    @Test func `a warning about a recurrence with a cancelled date names the last imported date`() {
        let lines = "DTSTART:20261116T100000\nRRULE:FREQ=DAILY\nEXDATE:20261123T100000"
        let (items, errors) = Self.read(lines)
        #expect(items.last?.request.identifier == "u@2027-01-25")
        #expect(
            errors.map(\.message) == [
                "'u': its recurrence becomes single dates, and the notifications end with the date "
                    + "2027-01-25T10:00:00+01:00: at most 64 are imported at once. Import the event "
                    + "again when the imported dates are over."
            ])
        #expect(Self.read(lines.replacing("DAILY", with: "DAILY;COUNT=20")).errors.isEmpty)
        let followed = ICalendarImport(environment: Self.environment, source: "/calendars")
            .items(of: "BEGIN:VEVENT\nUID:u\n\(lines)\nEND:VEVENT")
        #expect(followed.items.count == items.count && followed.errors.isEmpty)
    }

    /// The import reads only the next 128 dates, so cancelled dates may leave fewer than 64.
    @Test(arguments: [(100, "date 2027-03-29T10:00", 28), (128, "next 128 dates", 0)])
    func `an endless recurrence with many cancelled dates gets a warning about its later dates`(
        cancelled: Int, end: String, count: Int
    ) {
        let first = CivilTime(year: 2026, month: 11, day: 21)
        let dates = (1...cancelled).map { number in
            first.adding(days: number).dateText.replacing("-", with: "") + "T100000"
        }
        let (items, errors) = Self.read(
            "DTSTART:20261116T100000\nRRULE:FREQ=DAILY\nEXDATE:\(dates.joined(separator: ","))")
        #expect(items.count == count)
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains(end) == true, "\(errors)")
    }

    @Test func `a moved occurrence replaces the occurrence at the original time`() {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:u
            DTSTART:20261123T100000
            RRULE:FREQ=DAILY;COUNT=3
            END:VEVENT
            BEGIN:VEVENT
            UID:u
            RECURRENCE-ID:20261124T100000
            DTSTART:20261124T150000
            END:VEVENT
            END:VCALENDAR
            """
        let items = ICalendarImport(environment: Self.environment).items(of: text).items
        #expect(
            items.map(\.request.identifier) == [
                "u@2026-11-23", "u@2026-11-25", "u/20261124T100000",
            ])
    }

    /// The missing part may have events, so the tool must report it.
    @Test(arguments: ["", "END:VEVENT\n", "END:VEVENT\nBEGIN:VEVENT\nUID:v\n"])
    func `a calendar that is cut off is imported with an error`(end: String) {
        let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20261124T100000\n" + end
        let (items, errors) = ICalendarImport(environment: Self.environment).items(of: text)
        #expect(items.map(\.request.identifier) == ["u"])
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains("before its END:VCALENDAR") == true)
    }

    @Test func `an alarm of a task counts from the due date, and a completed task is left out`() {
        #expect(
            Self.texts("DUE:20261124T100000\(Self.alarm)", component: "VTODO")
                == ["u: 2026-11-24T09:45:00+01:00"])
        #expect(Self.texts("DUE:20261124T100000\nSTATUS:COMPLETED", component: "VTODO").isEmpty)
    }

    @Test func `a task without a date keeps only the alarms that have a date`() {
        let alarm = Self.alarm.replacing("-PT15M", with: "20261124T090000Z")
        #expect(
            Self.texts("PRIORITY:1\(alarm)\(Self.alarm)", component: "VTODO")
                == ["u: 2026-11-24T10:00:00+01:00", "error 65"])
    }

    @Test func `if only alarms are imported, an event without an alarm is left out`() {
        #expect(Self.read("DTSTART:20261124", withoutAlarms: false).items.isEmpty)
        #expect(Self.read("DTSTART:20261124" + Self.alarm, withoutAlarms: false).items.count == 1)
    }

    @Test func `a notification has the title, time, place and text of its event`() throws {
        let item = try #require(
            Self.read(
                "DTSTART:20261124T100000\nLOCATION:Room 1\\, left\nDESCRIPTION:a\\nb\n  c\(Self.alarm)"
            ).items.first)
        #expect(item.request.content.title == "S")
        #expect(item.request.content.body == "10:00\nRoom 1, left\na\nb c")
        #expect(item.request.content.threadIdentifier == "calendar")
    }

    @Test(
        arguments: [
            ("PT15M", 900), ("-P1DT2H3M4S", -93_784), ("+P2W", 1_209_600), ("P", nil), ("", nil),
            ("15M", nil), ("PT15", nil), ("P1M", nil), ("PT99999999999H", nil), ("P-1D", nil),
            ("-P999999999W", nil),
        ] as [(String, Int64?)])
    func `only a duration in the form of RFC 5545 is read`(text: String, seconds: Int64?) {
        #expect(ICalendarDuration(text)?.total == seconds)
    }

    @Test func `a parameter in quotes may hold a colon, and a malformed line is refused`() throws {
        let line = try #require(ICalendarLine(#"dtstart;x="a:b;c";TZID=Europe/Berlin:2026:1"#))
        #expect(line.name == "DTSTART" && line.value == "2026:1")
        #expect(line.parameters == ["X": "a:b;c", "TZID": "Europe/Berlin"])
        for wrong in ["", ":x", "A", "A;B", "A;B=c", "Ä:x", ";", "A;B:x"] {
            #expect(ICalendarLine(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `a long calendar line is folded, and unfolded without a change`() {
        let text = "SUMMARY:" + String(repeating: "日本", count: 60)
        let folded = ICalendarEscaping.folded(text)
        #expect(folded.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(ICalendarLine.unfolded(folded) == [text])
        #expect(ICalendarLine.unfolded(" a\n\tb\nc\r\n d") == [" ab", "cd"])
        let escaped = ICalendarEscaping.text("a;b,c\\\nd")
        #expect(ICalendarLine("X:" + escaped)?.text == "a;b,c\\\nd")
    }

    /// If the parts of a character were decoded alone, they would become replacement characters.
    @Test(arguments: ["\r\n ", "\n\t"])
    func `a line that is folded within a character keeps the character`(fold: String) {
        let line = "SUMMARY:日本 é\r\n x\n"
        for place in 0...line.utf8.count {
            let bytes = Array(line.utf8)
            let folded = bytes[..<place] + Array(fold.utf8) + bytes[place...]
            let text = ICalendarLine.text(of: Array(folded))
            #expect(!text.contains("\u{FFFD}"), "\(place)")
        }
        let bytes = Array("X:é".utf8)
        let folded = bytes.dropLast() + Array(fold.utf8) + bytes.suffix(1)
        #expect(ICalendarLine.unfolded(ICalendarLine.text(of: Array(folded))) == ["X:é"])
        #expect(ICalendarLine.text(of: Array("a\r\n b".utf8)) == "a\r\n b")
    }

    @Test func `the parser reads damaged and deeply nested calendars to their end`() {
        var generator = SeededGenerator(seed: 5_545)
        let pieces = [
            "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VALARM", "END:VALARM", "END:X", "BEGIN:",
            "DTSTART:20261124T100000", "DTSTART:99991231T235959Z", "DTSTART;TZID=:1",
            "RRULE:FREQ=DAILY;COUNT=99999999", "RRULE:FREQ=YEARLY;INTERVAL=1000",
            "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=", "TRIGGER:-P999999999W", "TRIGGER:",
            "EXDATE:,,20261124T100000", "UID:", "UID:\u{0}\u{1B}", " folded", "DUE:20260230",
            "RRULE:UNTIL=00000101", "RECURRENCE-ID:20261124T100000", "DURATION:P1D", "\u{FFFD}",
            "RDATE:20261124T100000,x,20270101", "X-TOCSIN-REQUEST:{\"id\":\"a\"}",
            "X-TOCSIN-REQUEST:\\",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined(separator: "\n")
            let (items, _) = ICalendarImport(environment: Self.environment).items(of: text)
            #expect(items.count <= 14 * Limits.calendarDates.most)
        }
        let deep = String(repeating: "BEGIN:VEVENT\n", count: 100_000)
        #expect(ICalendarComponent.read(deep).count == 1)
    }
}
