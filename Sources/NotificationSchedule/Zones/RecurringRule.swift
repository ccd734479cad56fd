internal import NotificationModel

/// A zone's rule for every year, as the `TZ` variable writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX, Base Definitions 8.3; RFC 9636 3.3.1 for the times beyond a day.
struct RecurringRule: Hashable, Sendable {
    /// The day of a year on which the clocks change, and the time of the change.
    struct Change: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// `Jn`: 1 to 365. Day 60 is 1 March in every year, also in leap years.
            case julian(Int)
            /// `n`: 0 to 365. In leap years, day 59 is 29 February.
            case ofYear(Int)
            /// `Mm.w.d`: weekday 0 is Sunday, and week 5 means the last such weekday of the month.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds after that day's midnight, on the clock before the change.
        var time: Int

        /// The time of the change in a year, in seconds from 1970-01-01 00:00:00, on the clock
        /// before the change.
        func local(in year: Int) -> Int64 {
            let first = CivilTime(year: year, month: 1, day: 1).dayNumber
            let number: Int64
            switch day {
            case .julian(let day):
                let isLeap = CivilTime.days(inMonth: 2, of: year) == 29
                number = first + Int64(day - 1 + (isLeap && day > 59 ? 1 : 0))
            case .ofYear(let day):
                number = first + Int64(day)
            case .weekday(let month, let week, let weekday):
                let start = CivilTime(year: year, month: month, day: 1)
                let offset = (weekday - (start.weekday - 1) + 7) % 7 + (week - 1) * 7
                let length = CivilTime.days(inMonth: month, of: year)
                number = start.dayNumber + Int64(offset < length ? offset : offset - 7)
            }
            return number * 86_400 + Int64(time)
        }
    }

    struct Daylight: Hashable, Sendable {
        var type: LocalTimeType
        var start: Change
        var end: Change
    }

    var standard: LocalTimeType
    var daylight: Daylight?

    /// The period that contains an instant, from one change to the next.
    ///
    /// If the rule has no changes, the period's ends are `Int64.min` and `Int64.max`.
    func period(at seconds: Int64) -> (start: Int64, end: Int64, isDaylight: Bool) {
        guard daylight != nil else { return (.min, .max, false) }
        let year = CivilTime(seconds: seconds + Int64(standard.offset)).year
        // The time of a change may be up to a week from its day, so the change may be in a
        // neighbouring year.
        let found = period(at: seconds, years: year - 1...year + 1)
        return found.start == .min ? period(at: seconds, years: year - 2...year + 1) : found
    }

    private func period(
        at seconds: Int64, years: ClosedRange<Int>
    ) -> (start: Int64, end: Int64, isDaylight: Bool) {
        var result = (start: Int64.min, end: Int64.max, isDaylight: false)
        func count(_ change: Int64, toDaylight: Bool) {
            if change > seconds {
                result.end = min(result.end, change)
            } else if change > result.start || change == result.start && toDaylight {
                // If summer time ends and begins at the same instant, the zone has summer time
                // without a break.
                result.start = change
                result.isDaylight = toDaylight
            }
        }
        guard let daylight else { return result }
        for year in years {
            count(daylight.start.local(in: year) - Int64(standard.offset), toDaylight: true)
            count(daylight.end.local(in: year) - Int64(daylight.type.offset), toDaylight: false)
        }
        return result
    }
}
