import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// A rule has exactly the dates of its event, or there is no rule.
@Suite struct CalendarWeeksTests {
    /// Monday, 16 November 2026, at 10:00.
    private static let monday = CivilTime(year: 2026, month: 11, day: 16, hour: 10)

    @Test(
        arguments: [
            // If the start's weekday is the only weekday, the first day of the week has no effect.
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU", 0, "every 2 weeks on monday"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", -1, "every 2 weeks on sunday"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", 0, "every 2 weeks on mon,fri"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", 1, "every 2 weeks on tue,sat"),
            // The Sunday before the Monday lies in another week than the Thursday before the
            // Friday.
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", -1, nil),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", 3, nil),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", 7, "every 2 weeks on mon,fri"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", 0, nil),
            // Google Calendar writes the first day of the user's week.
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU", 0, "every 2 weeks on mon,fri"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", 1, "every 2 weeks on mon,tue"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=WE", 0, nil),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=XX", 0, nil),
            ("FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU", -1, "every mon,wed"),
        ] as [(String, Int64, String?)])
    func `an alarm on another day has a rule only if the rule keeps the weeks of its event`(
        text: String, days: Int64, rule: String?
    ) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let found = recurrence.rule(start: Self.monday, shiftedBy: days * 86_400)?.description
        guard let rule else {
            #expect(found == nil)
            return
        }
        #expect(found?.hasPrefix(rule) == true, "\(found ?? "no rule")")
    }

    /// Outlook writes such recurrences.
    @Test(
        arguments: [
            ("BYDAY=TU;BYSETPOS=1", "every first tuesday of month at 10:00"),
            ("BYDAY=FR;BYSETPOS=-1", "every last friday of month at 10:00"),
            ("BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "every first weekday of month at 10:00"),
            ("BYDAY=FR,TH,WE,TU,MO;BYSETPOS=-1", "every last weekday of month at 10:00"),
            ("BYDAY=SA,SU;BYSETPOS=2", "every second weekend of month at 10:00"),
            ("BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=3", "every month on the 3rd at 10:00"),
            ("BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1", "every month on the last day at 10:00"),
            (
                "INTERVAL=2;BYDAY=TU;BYSETPOS=1",
                "every 2 months on the first tuesday at 10:00 from 2026-11-16"
            ),
            ("BYDAY=MO,TU;BYSETPOS=1", nil), ("BYDAY=TU;BYSETPOS=-2", nil),
            ("BYDAY=TU;BYSETPOS=1,3", "every first,third tuesday of month at 10:00"),
            ("BYDAY=TU;BYSETPOS=1,", nil), ("BYDAY=2TU;BYSETPOS=1", nil),
            ("BYDAY=TU;BYMONTHDAY=1,2,3;BYSETPOS=1", nil), ("BYMONTHDAY=1;BYSETPOS=1", nil),
            ("BYSETPOS=1", nil), ("BYDAY=;BYSETPOS=1", nil),
        ] as [(String, String?)])
    func `a BYSETPOS among weekdays becomes an ordinal of a rule`(parts: String, rule: String?) {
        let recurrence = ICalendarRecurrence("FREQ=MONTHLY;" + parts, zone: nil)
        let found = recurrence?.rule(start: Self.monday, shiftedBy: 0)
        #expect(found?.description == rule)
    }

    @Test(
        arguments: [
            ("FREQ=MONTHLY;BYDAY=1MO,3MO", "every first,third monday of month"),
            ("FREQ=MONTHLY;BYDAY=-1MO,2MO", "every second,last monday of month"),
            ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every fourth thursday of november"),
            ("FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO", "every last monday of may"),
            ("FREQ=YEARLY;BYMONTH=11;BYDAY=TH;BYSETPOS=4", "every fourth thursday of november"),
            ("FREQ=YEARLY;BYMONTH=3;BYDAY=1MO,3MO", "every first,third monday of march"),
            (
                "FREQ=YEARLY;INTERVAL=2;BYMONTH=11;BYDAY=4TH",
                "every 2 years on the fourth thursday of november"
            ),
            ("FREQ=MONTHLY;BYDAY=1MO,3TU", nil), ("FREQ=MONTHLY;BYDAY=1MO,TU", nil),
            ("FREQ=MONTHLY;BYDAY=1MO,MO", nil), ("FREQ=MONTHLY;BYDAY=1MO,6MO", nil),
            // These are the fourth Thursday of the year, and each Thursday of November.
            ("FREQ=YEARLY;BYDAY=4TH", nil), ("FREQ=YEARLY;BYMONTH=11;BYDAY=TH", nil),
            ("FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=1;BYDAY=4TH", nil),
            ("FREQ=YEARLY;BYMONTH=11;BYSETPOS=1", nil),
        ] as [(String, String?)])
    func `numbered weekdays become ordinals`(text: String, rule: String?) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let found = recurrence.rule(start: Self.monday, shiftedBy: 0)?.description
        guard let rule else {
            #expect(found == nil)
            return
        }
        #expect(found?.hasPrefix(rule + " at 10:00") == true, "\(found ?? "no rule")")
        #expect(recurrence.rule(start: Self.monday, shiftedBy: -86_400) == nil)
    }

    @Test func `the rule of a recurrence with BYSETPOS has the dates of the recurrence`() throws {
        let recurrence = try #require(
            ICalendarRecurrence("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", zone: nil))
        let rule = try #require(recurrence.rule(start: Self.monday, shiftedBy: 0))
        let zone = ZoneRules.fixed(0)
        let dates = rule.dates(after: zone.instant(of: Self.monday), in: zone, limit: 4)
        // The last days of January and of February 2027 are Sundays.
        #expect(
            dates.map { zone.rfc3339($0.instant) } == [
                "2026-11-30T10:00:00+00:00", "2026-12-31T10:00:00+00:00",
                "2027-01-29T10:00:00+00:00", "2027-02-26T10:00:00+00:00",
            ])
    }

    @Test(arguments: [
        "FREQ=DAILY;INTERVAL=x", "FREQ=DAILY;INTERVAL=2x", "FREQ=DAILY;INTERVAL=-2",
        "FREQ=DAILY;COUNT=x", "FREQ=DAILY;COUNT=3.5", "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=99999999999999999999", "FREQ=DAILY;UNTIL=x",
        "FREQ=WEEKLY;BYDAY=MO;BYDAY=TU",
    ])
    func `a recurrence with an unreadable part is refused`(text: String) {
        #expect(ICalendarRecurrence(text, zone: nil) == nil)
    }

    @Test(arguments: ["RRULE:FREQ=MONTHLY", "EXRULE:FREQ=WEEKLY"])
    func `an event with a second recurrence is refused`(line: String) {
        let environment = ToolEnvironment(
            variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
            zone: .fixed(0), reactor: Reactor.hosted("unused"))
        let (items, errors) = ICalendarImport(environment: environment).items(
            of: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20261116T100000\n"
                + "RRULE:FREQ=DAILY\n\(line)\nEND:VEVENT\nEND:VCALENDAR\n")
        #expect(items.isEmpty)
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains("cannot be imported") == true, "\(errors)")
    }

    @Test(
        arguments: [
            ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5", "every year on march 5"),
            ("FREQ=YEARLY;BYMONTH=3", "every year on march 16"),
            // This is the fifth of every month.
            ("FREQ=YEARLY;BYMONTHDAY=5", nil),
        ] as [(String, String?)])
    func `a yearly rule has one day of one month`(text: String, rule: String?) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let found = recurrence.rule(start: Self.monday, shiftedBy: 0)?.description
        #expect(found == rule.map { $0 + " at 10:00" })
    }

    /// Without a rule, a birthday with an alarm on the day before would become 64 requests.
    @Test(
        arguments: [
            ("FREQ=YEARLY", 12, 24, -1, "every year on december 23"),
            ("FREQ=YEARLY", 1, 1, -1, "every year on december 31"),
            ("FREQ=YEARLY", 12, 31, 1, "every year on january 1"),
            ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=2", 5, 2, -7, "every year on april 25"),
            // These alarms are on 29 February in a leap year.
            ("FREQ=YEARLY", 3, 1, -1, nil), ("FREQ=YEARLY", 2, 28, 1, nil),
            // Common years have no 29 February.
            ("FREQ=YEARLY", 2, 29, -1, nil),
            ("FREQ=YEARLY", 3, 5, -7, nil), ("FREQ=YEARLY", 1, 10, -340, nil),
            ("FREQ=YEARLY;INTERVAL=2", 1, 1, -1, nil),
        ] as [(String, Int, Int, Int64, String?)])
    func `alarms on another day become a yearly rule unless leap days move them`(
        text: String, month: Int, day: Int, days: Int64, rule: String?
    ) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let start = CivilTime(year: 2024, month: month, day: day, hour: 10)
        let found = recurrence.rule(start: start, shiftedBy: days * 86_400)?.description
        #expect(found == rule.map { $0 + " at 10:00" })
    }
}
