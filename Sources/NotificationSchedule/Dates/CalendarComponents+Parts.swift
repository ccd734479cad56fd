internal import NotificationModel

extension CalendarComponents {
    /// Whether a part of the time of day is set.
    var hasTime: Bool { hour != nil || minute != nil || second != nil || nanosecond != nil }

    /// Whether a part is set that depends on weekdays.
    var hasWeek: Bool {
        weekday != nil || weekdayOrdinal != nil || weekOfMonth != nil || weekOfYear != nil
    }

    /// Whether a year is set, or an era of years.
    var hasYear: Bool { era != nil || year != nil || yearForWeekOfYear != nil }

    /// Whether no part below the month is set; a match is then the start of a month or year.
    var startsMonth: Bool { !hasTime && !hasWeek && yearForWeekOfYear == nil && day == nil }

    /// Whether no part below the year of weeks is set; a match is then the start of its first week.
    var startsYearOfWeeks: Bool {
        !hasTime && !hasWeek && yearForWeekOfYear != nil && year == nil && month == nil
            && day == nil
    }

    /// The same parts, with the first day, month or week set if no smaller part is set.
    var withBeginnings: CalendarComponents {
        var components = self
        if startsMonth {
            components.day = 1
            components.month = month ?? 1
        }
        if startsYearOfWeeks { components.weekOfYear = 1 }
        return components
    }

    /// Whether a month that lacks the day gives its end instead.
    var movesMissingDay: Bool { !hasWeek }

    /// Whether only the first of several matching days in a row counts.
    var startsStretch: Bool { weekday == nil && day == nil && !hasTime }

    /// Whether the month is the largest part and no day is set: a month has one date then, the
    /// first.
    var isOncePerMonth: Bool { day == nil && month != nil && !hasYear }

    /// Whether the month or the day is the largest part: a day has one date then, in its first
    /// hour.
    var isOncePerDay: Bool { !hasYear && (month != nil || day != nil) }

    /// Whether all parts that have the same range in every calendar are within it.
    var isInRange: Bool {
        hour.isIn(0...23) && minute.isIn(0...59) && second.isIn(0...59)
            && nanosecond.isIn(0...999_999_999) && weekday.isIn(1...7)
            && weekdayOrdinal.isIn(1...5) && weekOfMonth.isIn(1...6)
    }

    /// Whether any part is set.
    var isAnySet: Bool {
        hasTime || hasWeek || hasYear || month != nil || day != nil || quarter != nil
    }
}

extension Int? {
    /// Whether a part is not set, or is within its range.
    func isIn(_ range: ClosedRange<Int>) -> Bool { map(range.contains) ?? true }
}
