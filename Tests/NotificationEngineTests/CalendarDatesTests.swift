import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("The next date of calendar components")
struct CalendarDatesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String: Int]
        var after: String
        var next: String?
        var zone = "America/New_York"
        var calendar: String?

        var components: CalendarComponents {
            var components = CalendarComponents()
            for (name, path) in CalendarComponents.fields {
                components[keyPath: path] = fields[name]
            }
            components.calendar = calendar
            return components
        }
        var testDescription: String { "\(fields) in \(zone) after \(after)" }
    }

    static let noon = "2026-11-21 12:00:00"
    static let rows: [Row] = [
        Row(fields: ["weekday": 2, "hour": 9], after: noon, next: "2026-11-23 09:00:00"),
        Row(fields: ["year": 2027], after: noon, next: "2027-01-01 00:00:00"),
        Row(fields: ["weekday": 2, "weekdayOrdinal": 5], after: noon, next: "2026-11-30 00:00:00"),
        Row(
            fields: ["month": 11, "weekday": 5, "weekdayOrdinal": 4], after: noon,
            next: "2026-11-26 00:00:00"),
        Row(fields: ["day": 13, "weekday": 6], after: noon, next: "2027-08-13 00:00:00"),
        // In a month without this day, the date fires at the next existing instant.
        Row(fields: ["day": 31, "hour": 8], after: noon, next: "2026-12-01 00:00:00"),
        Row(
            fields: ["day": 31, "hour": 8], after: "2026-12-01 00:00:00",
            next: "2026-12-31 08:00:00"),
        Row(fields: ["month": 2, "day": 29, "hour": 8], after: noon, next: "2027-03-01 00:00:00"),
        Row(
            fields: ["month": 2, "day": 29, "hour": 8], after: "2028-01-01 00:00:00",
            next: "2028-02-29 08:00:00"),
        // A date in the spring gap fires at the end of the gap; the next day is regular.
        Row(
            fields: ["hour": 2, "minute": 30], after: "2027-03-13 12:00:00",
            next: "2027-03-14 03:00:00"),
        Row(
            fields: ["hour": 2, "minute": 30], after: "2027-03-14 03:00:00",
            next: "2027-03-15 02:30:00"),
        Row(
            fields: ["hour": 2, "minute": 30], after: "2027-03-27 12:00:00",
            next: "2027-03-28 03:00:00", zone: "Europe/Berlin"),
        // No later date matches these components.
        Row(fields: ["month": 2, "day": 30], after: noon, next: nil),
        Row(fields: ["month": 4, "day": 31], after: noon, next: nil),
        Row(fields: ["hour": 25], after: noon, next: nil),
        Row(fields: ["minute": 60], after: noon, next: nil),
        Row(fields: ["day": 32], after: noon, next: nil),
        Row(fields: ["month": 13], after: noon, next: nil),
        Row(fields: ["weekday": 8], after: noon, next: nil),
        Row(fields: ["era": 0], after: noon, next: nil),
        Row(fields: ["hour": -1], after: noon, next: nil),
        Row(fields: ["day": .max], after: noon, next: nil),
        Row(fields: ["year": 2020], after: noon, next: nil),
        Row(fields: ["quarter": 1], after: noon, next: nil),
        Row(fields: [:], after: noon, next: nil),
        Row(fields: ["hour": 9], after: noon, next: nil, calendar: "no-such-calendar"),
        // The first day of the year in other calendars.
        Row(
            fields: ["month": 1, "day": 1], after: noon, next: "2027-10-02 00:00:00", zone: "UTC",
            calendar: "hebrew"),
        Row(
            fields: ["month": 1, "day": 1], after: noon, next: "2027-06-06 00:00:00", zone: "UTC",
            calendar: "islamic-umalqura"),
    ]

    @Test(arguments: rows)
    func `the next date equals the date in the table`(row: Row) throws {
        let next = CalendarDates.sample.next(
            matching: row.components, after: try instant(row.after, row.zone), timeZone: row.zone)
        #expect(next == (try row.next.map { try instant($0, row.zone) }))
    }

    @Test
    func `a time in an hour that clocks show twice fires only once, whenever the engine asks`()
        throws
    {
        var components = CalendarComponents()
        (components.hour, components.minute) = (1, 30)
        let zone = "America/New_York"
        // Daylight time ends on 2026-11-01 at 06:00 UTC.
        let first = try instant("2026-11-01 05:30:00")
        let nextDay = try instant("2026-11-02 06:30:00")
        func next(_ after: Instant) -> Instant? {
            CalendarDates.sample.next(matching: components, after: after, timeZone: zone)
        }
        #expect(next(try instant("2026-10-31 12:00:00")) == first)
        #expect(next(first) == nextDay)
        // An engine that is a millisecond late asks between the first and the second 1:30.
        #expect(next(first.adding(microseconds: 1_000)) == nextDay)
        #expect(next(try instant("2026-11-01 06:00:00")) == nextDay)
        #expect(next(try instant("2026-11-01 06:30:00")) == nextDay)
    }

    @Test
    func `a minute without an hour fires every 60 minutes, even if clocks show an hour twice`()
        throws
    {
        var components = CalendarComponents()
        components.minute = 30
        var date = try instant("2026-11-01 04:45:00")
        for text in ["05:30:00", "06:30:00", "07:30:00"] {
            let next = try #require(
                CalendarDates.sample.next(
                    matching: components, after: date, timeZone: "America/New_York"))
            #expect(next == (try instant("2026-11-01 " + text)))
            date = next
        }
    }

    @Test
    func `the components' zone is preferred to the user's, and an unknown zone never matches`()
        throws
    {
        var components = CalendarComponents()
        components.hour = 9
        components.timeZone = "Asia/Tokyo"
        let after = try instant("2026-11-21 12:00:00")
        #expect(
            CalendarDates.sample.next(matching: components, after: after, timeZone: "Europe/Berlin")
                == (try instant("2026-11-22 00:00:00")))
        components.timeZone = "Nowhere/Land"
        #expect(
            CalendarDates.sample.next(matching: components, after: after, timeZone: "Europe/Berlin")
                == nil
        )
        #expect(!CalendarDates.sample.canMatch(components, timeZone: "Europe/Berlin"))
    }

    @Test
    func `with a nanosecond in the components each next date is later than the date before`() throws
    {
        var components = CalendarComponents()
        components.nanosecond = 1
        var date = try instant("2026-11-21 12:00:00")
        for _ in 0..<3 {
            let next = try #require(
                CalendarDates.sample.next(matching: components, after: date, timeZone: "UTC"))
            #expect(next > date)
            date = next
        }
    }
}
