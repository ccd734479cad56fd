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
    func `weeks that are left out stay the same`(
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
}
