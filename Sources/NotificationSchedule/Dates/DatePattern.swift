internal import NotificationModel

/// The days and times that components match in the Gregorian calendar or in that of ISO 8601.
///
/// For a part that is not set, there are two cases:
/// - A part smaller than the smallest set part matches only its first value. So `hour: 9` is
///   9:00:00, `month: 3` is 1 March 0:00, and `weekOfYear: 5` is the first day of that week.
/// - Any other part matches all values.
///
/// Two exceptions limit the number of dates:
/// - If the month is the largest set part, and no day is set, each month gives only its first
///   matching day. So `month: 3, weekday: 2` is the first Monday in March, as in Foundation.
/// - If the month or the day is the largest set part, and no hour is set, each matching day gives
///   only one time, in its first hour. So `day: 5, minute: 30` is 0:30 on the 5th of each month.
struct DatePattern: Hashable, Sendable {
    static let years = 1...9_999

    let components: CalendarComponents
    let weeks: WeekRule
    let time: TimePattern
    /// The days, counted from 1970-01-01, that `year` and `yearForWeekOfYear` allow.
    let days: ClosedRange<Int64>

    var namesDays: Bool {
        components.month != nil || components.day != nil || components.hasWeek
            || days != Self.allDays
    }

    /// The pattern is nil if no date can match, or if the calendar is neither Gregorian nor that of
    /// ISO 8601.
    init?(_ wanted: CalendarComponents) {
        let usual: WeekRule
        switch wanted.calendar {
        case nil, "gregorian": usual = .gregorian
        case "iso8601": usual = .iso8601
        default: return nil
        }
        guard Self.isPossible(wanted) else { return nil }
        weeks = WeekRule(
            firstWeekday: wanted.firstWeekday ?? usual.firstWeekday,
            minimumDays: wanted.minimumDaysInFirstWeek ?? usual.minimumDays)
        components = wanted.withBeginnings
        time = TimePattern(wanted, hourIsFixed: wanted.isOncePerDay)
        guard let days = Self.days(components, weeks) else { return nil }
        self.days = days
    }

    private static func isPossible(_ components: CalendarComponents) -> Bool {
        // A leap month matches no date, because these calendars have no leap months.
        guard components.isLeapMonth != true else { return false }
        guard components.era.isIn(1...1), components.year.isIn(years),
            components.yearForWeekOfYear.isIn(years), components.month.isIn(1...12),
            components.day.isIn(1...31), components.weekOfYear.isIn(1...53),
            components.firstWeekday.isIn(1...7), components.minimumDaysInFirstWeek.isIn(1...7),
            components.isInRange, components.isAnySet, components.canIgnoreQuarter
        else { return false }
        guard let month = components.month, let day = components.day else { return true }
        // Check in a leap year, so that 29 February is a day.
        return day <= CivilTime.days(inMonth: month, of: 2_000)
    }

    private static let allDays = days(of: years)

    private static func days(of years: ClosedRange<Int>) -> ClosedRange<Int64> {
        let first = CivilTime(year: years.lowerBound, month: 1, day: 1)
        return first.dayNumber...CivilTime(year: years.upperBound, month: 12, day: 31).dayNumber
    }

    private static func days(
        _ components: CalendarComponents, _ weeks: WeekRule
    ) -> ClosedRange<Int64>? {
        var days = components.year.map { Self.days(of: $0...$0) } ?? allDays
        if let year = components.yearForWeekOfYear {
            let first = max(days.lowerBound, weeks.firstWeek(ofYear: year))
            let last = min(days.upperBound, weeks.firstWeek(ofYear: year + 1) - 1)
            guard first <= last else { return nil }
            days = first...last
        }
        return days
    }
}

/// The way in which a calendar counts weeks.
struct WeekRule: Hashable, Sendable {
    /// The weekday on which a week begins, 1 = Sunday.
    let firstWeekday: Int
    /// A week is the first week of a year or month if at least this many of its days are in that
    /// year or month.
    let minimumDays: Int

    /// The rule of Foundation's Gregorian calendar without a locale.
    static let gregorian = WeekRule(firstWeekday: 1, minimumDays: 1)
    static let iso8601 = WeekRule(firstWeekday: 2, minimumDays: 4)

    /// The first day of the first week of a year or month that begins on `day`.
    ///
    /// This first day may be before `day`.
    func firstWeek(ofPeriodFrom day: Int64) -> Int64 {
        let offset = Int64((CivilTime.weekday(ofDay: day) - firstWeekday + 7) % 7)
        return 7 - Int(offset) >= minimumDays ? day - offset : day - offset + 7
    }

    func firstWeek(ofYear year: Int) -> Int64 {
        firstWeek(ofPeriodFrom: CivilTime(year: year, month: 1, day: 1).dayNumber)
    }
}
