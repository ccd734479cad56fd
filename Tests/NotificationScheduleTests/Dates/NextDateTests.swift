import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

@Suite("The next date")
struct NextDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String: Int]
        var after: String
        /// The wall-clock times of the next dates, in order; empty if there are none.
        var next: [String]
        var zone = "Europe/Berlin"
        var calendar: String?
        var testDescription: String { "\(fields) in \(zone) after \(after)" }
    }

    static let noon = "2026-11-21 12:00"

    @Test(arguments: [
        Row(fields: ["hour": 9], after: noon, next: ["2026-11-22 09:00", "2026-11-23 09:00"]),
        Row(
            fields: ["minute": 30], after: noon, next: ["2026-11-21 12:30", "2026-11-21 13:30"]),
        Row(
            fields: ["second": 30], after: noon,
            next: ["2026-11-21 12:00:30", "2026-11-21 12:01:30"]),
        Row(fields: ["day": 5], after: noon, next: ["2026-12-05 00:00", "2027-01-05 00:00"]),
        Row(fields: ["month": 3], after: noon, next: ["2027-03-01 00:00", "2028-03-01 00:00"]),
        Row(fields: ["year": 2027], after: noon, next: ["2027-01-01 00:00"]),
        Row(
            fields: ["weekday": 1], after: noon, next: ["2026-11-22 00:00", "2026-11-29 00:00"]),
        Row(
            fields: ["weekdayOrdinal": 2], after: noon,
            next: ["2026-12-08 00:00", "2027-01-08 00:00"]),
        Row(
            fields: ["weekOfMonth": 1], after: noon,
            next: ["2026-12-01 00:00", "2027-01-01 00:00"]),
        Row(
            fields: ["weekOfMonth": 6], after: noon,
            next: ["2027-01-31 00:00", "2027-05-30 00:00"]),
        Row(
            fields: ["weekOfYear": 1], after: noon,
            next: ["2026-12-27 00:00", "2027-12-26 00:00"]),
        Row(
            fields: ["weekOfYear": 53], after: noon,
            next: ["2028-12-24 00:00", "2033-12-25 00:00"]),
        Row(fields: ["yearForWeekOfYear": 2027], after: noon, next: ["2026-12-27 00:00"]),
        Row(
            fields: ["year": 2038, "yearForWeekOfYear": 2037], after: noon,
            next: ["2038-01-01 00:00"], calendar: "iso8601"),
        // A quarter beside a month is ignored, because Foundation gives 31 March the quarter 2.
        Row(
            fields: ["month": 3, "day": 31, "quarter": 2], after: noon,
            next: ["2027-03-31 00:00", "2028-03-31 00:00"]),
    ])
    func `the parts below the smallest given part begin at their minimum`(row: Row) throws {
        try check(row)
    }

    /// The largest of the given parts decides how many of the matches are dates.
    @Test(arguments: [
        Row(
            fields: ["month": 3, "hour": 9], after: noon,
            next: ["2027-03-01 09:00", "2028-03-01 09:00"]),
        Row(
            fields: ["month": 3, "weekday": 2, "hour": 9], after: "2027-03-02 00:00",
            next: ["2028-03-06 09:00", "2029-03-05 09:00"]),
        Row(
            fields: ["day": 15, "minute": 30], after: noon,
            next: ["2026-12-15 00:30", "2027-01-15 00:30"]),
        Row(
            fields: ["hour": 9, "second": 30], after: noon,
            next: ["2026-11-22 09:00:30", "2026-11-23 09:00:30"]),
        Row(
            fields: ["year": 2027, "hour": 9], after: noon,
            next: ["2027-01-01 09:00", "2027-01-02 09:00"]),
        Row(
            fields: ["weekday": 2, "minute": 30], after: noon,
            next: ["2026-11-23 00:30", "2026-11-23 01:30"]),
        Row(
            fields: ["weekOfMonth": 2, "hour": 9], after: noon,
            next: ["2026-12-06 09:00", "2026-12-07 09:00"]),
    ])
    func `within a month or day only the first match is a date, within a year or week every match`(
        row: Row
    ) throws { try check(row) }

    @Test(arguments: [
        Row(
            fields: ["weekOfYear": 1], after: noon,
            next: ["2027-01-04 00:00", "2028-01-03 00:00"], calendar: "iso8601"),
        Row(
            fields: ["weekOfYear": 53], after: noon,
            next: ["2026-12-28 00:00", "2032-12-27 00:00"], calendar: "iso8601"),
        Row(
            fields: ["weekOfYear": 53, "weekday": 1], after: noon, next: ["2027-01-03 00:00"],
            calendar: "iso8601"),
        Row(
            fields: ["weekOfMonth": 1], after: noon,
            next: ["2026-12-01 00:00", "2027-01-04 00:00"], calendar: "iso8601"),
        Row(
            fields: ["yearForWeekOfYear": 2027], after: noon, next: ["2027-01-04 00:00"],
            calendar: "iso8601"),
        Row(
            fields: ["weekOfYear": 52, "weekday": 7, "yearForWeekOfYear": 2027], after: noon,
            next: ["2028-01-01 00:00"], calendar: "iso8601"),
    ])
    func `weeks of ISO 8601 begin on Monday, and the first has four days`(row: Row) throws {
        try check(row)
    }

    @Test(arguments: [
        Row(
            fields: ["day": 31, "hour": 8], after: noon,
            next: ["2026-12-01 00:00", "2026-12-31 08:00"]),
        Row(
            fields: ["month": 2, "day": 29, "hour": 8], after: noon,
            next: ["2027-03-01 00:00", "2028-02-29 08:00", "2029-03-01 00:00"]),
        Row(
            fields: ["year": 2027, "month": 2, "day": 29], after: noon,
            next: ["2027-03-01 00:00"]),
        // If the components name a week or a weekday, no other day replaces a missing day.
        Row(
            fields: ["day": 31, "weekday": 2], after: noon,
            next: ["2027-05-31 00:00", "2028-01-31 00:00"]),
        Row(
            fields: ["weekday": 2, "weekdayOrdinal": 5], after: noon,
            next: ["2026-11-30 00:00", "2027-03-29 00:00"]),
        Row(
            fields: ["weekday": 2, "weekdayOrdinal": 1], after: "2024-02-05 00:00",
            next: ["2024-03-04 00:00"]),
    ])
    func `a day that its month lacks moves to the next existing instant`(row: Row) throws {
        try check(row)
    }

    @Test(arguments: [
        Row(
            fields: ["hour": 2, "minute": 30], after: "2027-03-27 12:00",
            next: ["2027-03-28 03:00", "2027-03-29 02:30"]),
        Row(
            fields: ["hour": 2, "minute": 15], after: "2026-10-03 12:00",
            next: ["2026-10-04 02:30", "2026-10-05 02:15"], zone: "Australia/Lord_Howe"),
        // The clocks skipped midnight itself.
        Row(
            fields: ["day": 4], after: "2018-11-01 12:00", next: ["2018-11-04 01:00"],
            zone: "America/Sao_Paulo"),
        // The clocks skipped a whole day.
        Row(
            fields: ["hour": 8], after: "2011-12-29 12:00",
            next: ["2011-12-31 00:00", "2011-12-31 08:00"], zone: "Pacific/Apia"),
        Row(
            fields: ["weekday": 6, "minute": 30], after: "2011-12-29 12:00",
            next: ["2011-12-31 00:00", "2012-01-06 00:30"], zone: "Pacific/Apia"),
        // A skipped time without an hour component does not fire later.
        Row(
            fields: ["minute": 30], after: "2027-03-28 01:00",
            next: ["2027-03-28 01:30", "2027-03-28 03:30"]),
        Row(
            fields: ["minute": 15], after: "2026-10-04 01:00",
            next: ["2026-10-04 01:15", "2026-10-04 03:15"], zone: "Australia/Lord_Howe"),
    ])
    func `a time of day that a gap removes moves to the end of the gap`(row: Row) throws {
        try check(row)
    }

    @Test(arguments: [
        ["month": 2, "day": 30], ["month": 4, "day": 31], ["hour": 24], ["minute": 60],
        ["second": 60],
        ["day": 0], ["day": 32], ["month": 13], ["weekday": 8], ["weekdayOrdinal": 6],
        ["era": 0],
        ["quarter": 1], ["day": 1, "quarter": 1],
        ["nanosecond": 1_000_000_000], ["hour": -1], ["day": .max],
        ["year": .min],
        ["weekOfYear": 54], ["month": 3, "weekOfYear": 40], ["day": 20, "weekOfMonth": 1],
        ["weekOfMonth": 0],
        ["weekOfMonth": 6, "weekdayOrdinal": 2], ["year": 2026, "yearForWeekOfYear": 2030], [:],
    ])
    func `components that no date can match have no next date`(fields: [String: Int]) throws {
        let components = Self.components(fields)
        #expect(!NextDate.canMatch(components))
        #expect(
            NextDate.find(matching: components, after: Instant(microseconds: 0), in: .utc) == nil)
    }

    @Test
    func `components of a past date can match, and a search from any instant does not trap`() {
        let past = Self.components(["year": 2020])
        #expect(NextDate.canMatch(past))
        for microseconds in [1_795_262_400_000_000, Int64.max] {
            let instant = Instant(microseconds: microseconds)
            #expect(NextDate.find(matching: past, after: instant, in: .utc) == nil)
        }
        let first = NextDate.find(matching: past, after: Instant(microseconds: .min), in: .utc)
        #expect(first == Instant(microseconds: 1_577_836_800_000_000))
        var leap = Self.components(["hour": 9])
        leap.isLeapMonth = true
        #expect(!NextDate.canMatch(leap))
    }

    @Test
    func `a date with fractions of a second is found to the microsecond`() {
        let half = Self.components(["nanosecond": 500_000_999])
        var instant = Instant(microseconds: 1_795_262_400_100_000)
        for expected in [400_500_000, 401_500_000, 402_500_000] as [Int64] {
            let next = NextDate.find(matching: half, after: instant, in: .utc)
            #expect(next?.microseconds == 1_795_262_000_000_000 + expected)
            instant = next ?? instant
        }
        let nine = Self.components(["hour": 9])
        let before = Instant(microseconds: 1_795_251_599_999_999)
        #expect(
            NextDate.find(matching: nine, after: before, in: .utc)?.microseconds
                == 1_795_251_600_000_000)
    }

    @Test
    func `a search from any instant before a date finds that date, and none comes twice`() throws {
        var random = RandomComponents(seed: 47)
        for name in SystemZones.differentSample {
            let rules = try #require(SystemZones.rules(named: name))
            for _ in 0..<4 {
                let start = Int64(random.number(631_152_000...2_240_524_800))
                let components = random.any(rules.wallClock(at: start))
                var instant = Instant(microseconds: start * 1_000_000)
                var shown: Set<Int64> = []
                for _ in 0..<12 {
                    guard let next = NextDate.find(matching: components, after: instant, in: rules)
                    else { break }
                    #expect(next > instant)
                    let wait = next.microseconds - instant.microseconds
                    for delta in [
                        0, wait / 2, wait - 1, Int64.random(in: 0..<wait, using: &random.generator),
                    ] {
                        let later = instant.adding(microseconds: delta)
                        #expect(
                            NextDate.find(matching: components, after: later, in: rules) == next,
                            "\(components) in \(name) after \(later.microseconds)")
                    }
                    if components.hour != nil {
                        let wall = rules.wallClock(at: next.microseconds / 1_000_000)
                        #expect(shown.insert(wall).inserted, "\(components) in \(name)")
                    }
                    instant = next
                }
            }
        }
    }

    @Test(
        arguments: [(nil, 2, 1), ("iso8601", 7, 1), ("gregorian", 3, 5)] as [(String?, Int, Int)])
    func `firstWeekday and minimumDaysInFirstWeek decide how weeks are counted`(
        calendar: String?, first: Int, days: Int
    ) throws {
        var foundation = Calendar(identifier: calendar == "iso8601" ? .iso8601 : .gregorian)
        foundation.timeZone = .gmt
        (foundation.firstWeekday, foundation.minimumDaysInFirstWeek) = (first, days)
        for day in 20_000..<21_000 as Range<Int64> {
            let parts = foundation.dateComponents(
                [.year, .month, .weekday, .weekOfMonth, .weekOfYear, .yearForWeekOfYear],
                from: Date(timeIntervalSince1970: Double(day) * 86_400))
            var components = CalendarComponents()
            (components.calendar, components.weekday) = (calendar, parts.weekday)
            components.firstWeekday = first
            components.minimumDaysInFirstWeek = days
            var month = components
            (month.year, month.month) = (parts.year, parts.month)
            month.weekOfMonth = parts.weekOfMonth
            components.weekOfYear = parts.weekOfYear
            components.yearForWeekOfYear = parts.yearForWeekOfYear
            for wanted in [components, month] {
                let found = NextDate.find(
                    matching: wanted, after: Instant(microseconds: 0), in: .utc)
                #expect(found == Instant(seconds: day * 86_400), "\(parts)")
            }
        }
    }

    @Test(arguments: [(0, 1), (8, 1), (.min, 1), (1, 0), (1, 8), (1, .max)] as [(Int, Int)])
    func `an invalid firstWeekday or minimumDaysInFirstWeek matches no date`(first: Int, days: Int)
    {
        var components = Self.components(["weekOfYear": 1])
        components.firstWeekday = first
        components.minimumDaysInFirstWeek = days
        #expect(!NextDate.canMatch(components))
    }

    private func check(_ row: Row) throws {
        let rules = try #require(SystemZones.rules(named: row.zone))
        let wall = try #require(ZoneRulesTests.seconds(row.after))
        var instant = Instant(microseconds: rules.firstInstant(atWallClock: wall) * 1_000_000)
        var components = Self.components(row.fields)
        components.calendar = row.calendar
        for expected in row.next.isEmpty ? [nil] : row.next.map(Optional.init) {
            let next = NextDate.find(matching: components, after: instant, in: rules)
            let shown = next.map { rules.wallClock(at: $0.microseconds / 1_000_000) }
            #expect(shown == expected.flatMap(ZoneRulesTests.seconds))
            guard let next else { return }
            instant = next
        }
    }

    private static func components(_ fields: [String: Int]) -> CalendarComponents {
        var components = CalendarComponents()
        for (name, path) in CalendarComponents.fields { components[keyPath: path] = fields[name] }
        return components
    }
}
