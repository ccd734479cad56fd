/// The parts of a date that a calendar trigger matches.
///
/// The parts have the meanings and the ranges of Foundation's `DateComponents`. If a nil part is
/// smaller than every set part, it matches only its first value. Most other nil parts match all
/// values. So the hour 9 alone is 9:00 on each day.
public struct CalendarComponents: Hashable, Sendable {
    /// The identifier of the calendar, such as `gregorian`; nil for the Gregorian calendar.
    public var calendar: String?
    /// The IANA name of the time zone; nil follows the user's time zone.
    public var timeZone: String?
    /// The era.
    public var era: Int?
    /// The year within the era.
    public var year: Int?
    /// The month, from 1.
    public var month: Int?
    /// The day of the month, from 1.
    public var day: Int?
    /// The hour, 0 to 23.
    public var hour: Int?
    /// The minute, 0 to 59.
    public var minute: Int?
    /// The second, 0 to 59.
    public var second: Int?
    /// The nanosecond.
    public var nanosecond: Int?
    /// The weekday, 1 = Sunday.
    public var weekday: Int?
    /// The ordinal of the weekday within its month, from 1.
    public var weekdayOrdinal: Int?
    /// The quarter, from 1.
    public var quarter: Int?
    /// The week of the month.
    public var weekOfMonth: Int?
    /// The week of the year.
    public var weekOfYear: Int?
    /// The year to which the week of the year belongs.
    public var yearForWeekOfYear: Int?
    /// Whether the month is a leap month.
    public var isLeapMonth: Bool?
    /// The weekday on which weeks begin, 1 = Sunday; nil for the usual weekday of the calendar.
    ///
    /// Only the Gregorian calendar and the ISO 8601 calendar use this part and
    /// `minimumDaysInFirstWeek`.
    public var firstWeekday: Int?
    /// The fewest days that the first week of a month or year has; nil for the calendar's usual
    /// number.
    public var minimumDaysInFirstWeek: Int?

    /// Makes components that match any date.
    public init() {}

    /// The numeric parts, each with its name in JSON and on D-Bus.
    public static var fields:
        [(name: String, path: any WritableKeyPath<CalendarComponents, Int?> & Sendable)]
    {
        [
            ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day),
            ("hour", \.hour), ("minute", \.minute), ("second", \.second),
            ("nanosecond", \.nanosecond), ("weekday", \.weekday),
            ("weekdayOrdinal", \.weekdayOrdinal), ("quarter", \.quarter),
            ("weekOfMonth", \.weekOfMonth), ("weekOfYear", \.weekOfYear),
            ("yearForWeekOfYear", \.yearForWeekOfYear),
        ]
    }
}
