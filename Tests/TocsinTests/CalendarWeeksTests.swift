import NotificationModel
import NotificationSchedule
import Testing

@testable import tocsin

/// A rule has exactly the dates of its event, or there is no rule.
@Suite struct CalendarWeeksTests {
    /// Monday, 16 November 2026, at 10:00.
    private static let monday = CivilTime(year: 2026, month: 11, day: 16, hour: 10)

    @Test(
        arguments: [
            // One weekday, that of the start, needs no first day of the week.
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
            ("FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU", -1, "every mon,wed"),
        ] as [(String, Int64, String?)])
    func `an alarm on another day keeps the weeks of its event, or there is no rule`(
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

    @Test(arguments: [
        "FREQ=DAILY;INTERVAL=x", "FREQ=DAILY;INTERVAL=2x", "FREQ=DAILY;INTERVAL=-2",
        "FREQ=DAILY;COUNT=x", "FREQ=DAILY;COUNT=3.5", "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=99999999999999999999", "FREQ=DAILY;UNTIL=x",
        "FREQ=WEEKLY;BYDAY=MO;BYDAY=TU",
    ])
    func `a recurrence with an unreadable part is refused`(text: String) {
        #expect(ICalendarRecurrence(text, zone: nil) == nil)
    }

    @Test(
        arguments: [
            ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5", "every year on march 5"),
            ("FREQ=YEARLY;BYMONTH=3", "every year on march 16"),
            // It is the fifth of every month.
            ("FREQ=YEARLY;BYMONTHDAY=5", nil),
        ] as [(String, String?)])
    func `a yearly rule has one day of one month`(text: String, rule: String?) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let found = recurrence.rule(start: Self.monday, shiftedBy: 0)?.description
        #expect(found == rule.map { $0 + " at 10:00" })
    }

    /// Each birthday with an alarm on the day before once became 64 requests.
    @Test(
        arguments: [
            ("FREQ=YEARLY", 12, 24, -1, "every year on december 23"),
            ("FREQ=YEARLY", 1, 1, -1, "every year on december 31"),
            ("FREQ=YEARLY", 12, 31, 1, "every year on january 1"),
            ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=2", 5, 2, -7, "every year on april 25"),
            // These are 29 February in a leap year.
            ("FREQ=YEARLY", 3, 1, -1, nil), ("FREQ=YEARLY", 2, 28, 1, nil),
            // There is no such event in the other years.
            ("FREQ=YEARLY", 2, 29, -1, nil),
            ("FREQ=YEARLY", 3, 5, -7, nil), ("FREQ=YEARLY", 1, 10, -340, nil),
            ("FREQ=YEARLY;INTERVAL=2", 1, 1, -1, nil),
        ] as [(String, Int, Int, Int64, String?)])
    func `alarms on another day become a yearly rule only if leap days do not move them`(
        text: String, month: Int, day: Int, days: Int64, rule: String?
    ) throws {
        let recurrence = try #require(ICalendarRecurrence(text, zone: nil))
        let start = CivilTime(year: 2024, month: month, day: day, hour: 10)
        let found = recurrence.rule(start: start, shiftedBy: days * 86_400)?.description
        #expect(found == rule.map { $0 + " at 10:00" })
    }
}
