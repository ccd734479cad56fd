internal import NotificationModel

/// How a calendar counts weeks.
struct WeekRule: Hashable, Sendable {
    /// The weekday on which a week begins, 1 = Sunday.
    let firstWeekday: Int
    /// How many days of a year or month its first week has at least.
    let minimumDays: Int

    /// As Foundation counts in the Gregorian calendar without a locale.
    static let gregorian = WeekRule(firstWeekday: 1, minimumDays: 1)
    /// As ISO 8601 counts.
    static let iso8601 = WeekRule(firstWeekday: 2, minimumDays: 4)

    /// Where the first week of a year or month begins that begins on this day: it may begin before.
    func firstWeek(ofPeriodFrom day: Int64) -> Int64 {
        let offset = Int64((weekday(of: day) - firstWeekday + 7) % 7)
        return 7 - Int(offset) >= minimumDays ? day - offset : day - offset + 7
    }

    /// Where the first week of a year begins.
    func firstWeek(ofYear year: Int) -> Int64 {
        firstWeek(ofPeriodFrom: CivilTime(year: year, month: 1, day: 1).dayNumber)
    }

    /// The weekday of a day since 1970-01-01, 1 = Sunday.
    func weekday(of day: Int64) -> Int {
        // 1970-01-01 was a Thursday.
        let rest = (day + 4) % 7
        return Int(rest < 0 ? rest + 7 : rest) + 1
    }
}
