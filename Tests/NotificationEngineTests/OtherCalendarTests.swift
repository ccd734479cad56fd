import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

/// Dates of calendars that Foundation computes.
@Suite("The next date in other calendars")
struct OtherCalendarTests {
    static let calendars: [(name: String, identifier: Calendar.Identifier)] = [
        ("buddhist", .buddhist), ("chinese", .chinese), ("coptic", .coptic),
        ("ethiopic", .ethiopicAmeteMihret), ("hebrew", .hebrew), ("indian", .indian),
        ("islamic", .islamic), ("islamic-civil", .islamicCivil), ("japanese", .japanese),
        ("persian", .persian), ("roc", .republicOfChina), ("islamic-tbla", .islamicTabular),
        ("islamic-umalqura", .islamicUmmAlQura),
    ]

    @Test(arguments: calendars)
    func `each day of a calendar is found again by its year, month and day`(
        name: String, identifier: Calendar.Identifier
    ) throws {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        var day = Date(timeIntervalSince1970: 1_700_006_400)
        for _ in 0..<60 {
            let parts = calendar.dateComponents([.era, .year, .month, .day, .hour], from: day)
            var components = CalendarComponents()
            components.calendar = name
            (components.era, components.year) = (parts.era, parts.year)
            (components.month, components.day) = (parts.month, parts.day)
            (components.hour, components.isLeapMonth) = (parts.hour, parts.isLeapMonth)
            let wanted = Instant(secondsSince1970: day.timeIntervalSince1970)
            let next = CalendarDates.sample.next(
                matching: components, after: Instant(microseconds: 1_690_000_000_000_000),
                timeZone: "UTC")
            #expect(next == wanted, "\(parts)")
            day += 173 * 86_400
        }
    }

    @Test(arguments: calendars)
    func `a date given by its week equals Foundation's date`(
        name: String, identifier: Calendar.Identifier
    ) throws {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            let start = Date(
                timeIntervalSince1970: Double(Int.random(in: 20_000...22_000, using: &random))
                    * 86_400)
            let parts = calendar.dateComponents(
                [.weekday, .weekOfYear, .yearForWeekOfYear, .weekOfMonth, .month, .year, .era],
                from: start)
            var components = CalendarComponents()
            components.calendar = name
            components.hour = 0
            components.weekday = parts.weekday
            if Bool.random(using: &random) {
                components.weekOfYear = parts.weekOfYear
                components.yearForWeekOfYear = parts.yearForWeekOfYear
            } else {
                components.weekOfMonth = parts.weekOfMonth
                (components.month, components.year) = (parts.month, parts.year)
                (components.era, components.isLeapMonth) = (parts.era, parts.isLeapMonth)
            }
            let wanted = Instant(secondsSince1970: start.timeIntervalSince1970)
            let next = CalendarDates.sample.next(
                matching: components, after: Instant(microseconds: 1_600_000_000_000_000),
                timeZone: "UTC")
            #expect(next == wanted, "\(parts)")
        }
    }

    @Test(arguments: calendars)
    func `a yearly date equals Foundation's date`(
        name: String, identifier: Calendar.Identifier
    ) throws {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        let start = Date(timeIntervalSince1970: 1_795_262_400)
        for month in 1...12 {
            for day in [1, 15, 29] {
                // Adar of a common year is the seventh month; the sixth exists only in leap years.
                if name == "hebrew", month == 6 { continue }
                var components = CalendarComponents()
                components.calendar = name
                (components.month, components.day, components.hour) = (month, day, 8)
                let wanted = DateComponents(month: month, day: day, hour: 8)
                let theirs = calendar.nextDate(
                    after: start, matching: wanted, matchingPolicy: .nextTime)
                let ours = CalendarDates.sample.next(
                    matching: components, after: Instant(microseconds: 1_795_262_400_000_000),
                    timeZone: "UTC")
                #expect(
                    ours?.secondsSince1970 == theirs?.timeIntervalSince1970, "\(month) \(day)")
            }
        }
    }

    /// A reminder for each fifteenth day must not skip the leap month.
    @Test(arguments: [nil, false] as [Bool?])
    func `a day without a month is found in a leap month, too`(isLeapMonth: Bool?) {
        var components = CalendarComponents()
        components.calendar = "chinese"
        (components.day, components.hour, components.isLeapMonth) = (15, 8, isLeapMonth)
        // The sixth month of 2025 has a leap month, from 25 July to 22 August.
        let next = CalendarDates.sample.next(
            matching: components, after: Instant(microseconds: 1_753_574_400_000_000),
            timeZone: "UTC")
        #expect(next == Instant(microseconds: 1_754_640_000_000_000))
    }

    @Test
    func `an impossible date cannot match, and a past date can match`() {
        func components(_ name: String, _ fields: [String: Int]) -> CalendarComponents {
            var components = CalendarComponents()
            for (name, path) in CalendarComponents.fields {
                components[keyPath: path] = fields[name]
            }
            components.calendar = name
            return components
        }
        let rows: [(CalendarComponents, Bool)] = [
            (components("islamic-civil", ["month": 2, "day": 30]), false),
            (components("hebrew", ["month": 14]), false),
            (components("hebrew", ["day": 31]), false),
            (components("coptic", ["month": 13, "day": 7]), false),
            (components("coptic", ["month": 13, "day": 6]), true),
            (components("chinese", ["day": 25, "weekOfMonth": 3]), false),
            (
                components("buddhist", ["month": 1, "day": 21, "weekday": 5, "weekdayOrdinal": 5]),
                false
            ),
            (components("persian", ["hour": 24]), false),
            (components("roc", ["quarter": 1]), false),
            (components("hebrew", [:]), false),
            (components("hebrew", ["year": 5_780, "month": 1, "day": 1]), true),
        ]
        for (components, isPossible) in rows {
            #expect(CalendarDates.sample.canMatch(components, timeZone: "UTC") == isPossible)
        }
    }

    @Test
    func `a spring gap and a repeated hour are handled as in the Gregorian calendar`() throws {
        var components = CalendarComponents()
        components.calendar = "buddhist"
        (components.hour, components.minute) = (2, 30)
        func next(_ after: String) throws -> Instant? {
            CalendarDates.sample.next(
                matching: components, after: try instant(after), timeZone: "Europe/Berlin")
        }
        #expect(try next("2027-03-27 12:00:00") == (try instant("2027-03-28 01:00:00")))
        #expect(try next("2027-10-31 00:30:00") == (try instant("2027-11-01 01:30:00")))
    }
}
