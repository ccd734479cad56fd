internal import NotificationModel

extension CalendarComponents {
    var hasTime: Bool { hour != nil || minute != nil || second != nil || nanosecond != nil }

    /// Whether a part that depends on weekdays is set.
    var hasWeek: Bool {
        weekday != nil || weekdayOrdinal != nil || weekOfMonth != nil || weekOfYear != nil
    }

    var hasYear: Bool { era != nil || year != nil || yearForWeekOfYear != nil }

    /// Whether no part smaller than the month is set.
    ///
    /// If so, a match is the start of a month or year.
    var startsMonth: Bool { !hasTime && !hasWeek && yearForWeekOfYear == nil && day == nil }

    /// Whether `yearForWeekOfYear` is set, without a year and without any smaller part.
    ///
    /// If so, a match is the start of that year's first week.
    var startsYearOfWeeks: Bool {
        !hasTime && !hasWeek && yearForWeekOfYear != nil && year == nil && month == nil
            && day == nil
    }

    /// The components, completed by day 1 and month 1 if `startsMonth`, and by week 1 if
    /// `startsYearOfWeeks`.
    var withBeginnings: CalendarComponents {
        var components = self
        if startsMonth {
            components.day = 1
            components.month = month ?? 1
        }
        if startsYearOfWeeks { components.weekOfYear = 1 }
        return components
    }

    /// Whether the first day of the next month replaces a day that a month lacks: 30 February
    /// becomes 1 March.
    var movesMissingDay: Bool { !hasWeek }

    /// Whether only the first of several matching days in a row gives a date, as in a week.
    var startsStretch: Bool { weekday == nil && day == nil && !hasTime }

    /// Whether the month is the largest part that is set, and no day is set.
    ///
    /// If so, each matching month gives only its first date.
    var isOncePerMonth: Bool { day == nil && month != nil && !hasYear }

    /// Whether the month or the day is the largest part that is set.
    ///
    /// If so, and if no hour is set, each matching day gives only one date, in its first hour.
    var isOncePerDay: Bool { !hasYear && (month != nil || day != nil) }

    /// Whether the parts that have the same range in all calendars are within their ranges.
    ///
    /// The days before the first week of a month are in week 0.
    var isInRange: Bool {
        hour.isIn(0...23) && minute.isIn(0...59) && second.isIn(0...59)
            && nanosecond.isIn(0...999_999_999) && weekday.isIn(1...7)
            && weekdayOrdinal.isIn(1...5) && weekOfMonth.isIn(0...6)
    }

    /// Whether no quarter is set, or a month is set beside the quarter.
    ///
    /// A quarter without a month matches no date: Foundation ignores the quarter, and so finds
    /// unwanted dates. Beside a month, this code ignores the quarter, too, because Foundation sets
    /// wrong quarters: 2 for 31 March, and 0 in most calendars.
    var canIgnoreQuarter: Bool { quarter == nil || month != nil }

    var isAnySet: Bool {
        hasTime || hasWeek || hasYear || month != nil || day != nil || quarter != nil
    }
}

extension Int? {
    /// Whether a part is not set, or is within its range.
    func isIn(_ range: ClosedRange<Int>) -> Bool { map(range.contains) ?? true }
}
