internal import NotificationModel

extension CalendarComponents {
    /// Whether a part of the time of day is set.
    var hasTime: Bool {
        hour != nil || minute != nil || second != nil || nanosecond != nil
    }

    /// Whether a part is set that depends on weekdays.
    var hasWeek: Bool {
        weekday != nil || weekdayOrdinal != nil || weekOfMonth != nil || weekOfYear != nil
    }

    /// Whether a year is set, or an era of years.
    var hasYear: Bool {
        era != nil || year != nil || yearForWeekOfYear != nil
    }

    /// Whether only era, year and month can be set, so that a month or a year begins.
    var startsMonth: Bool {
        !hasTime && !hasWeek && yearForWeekOfYear == nil && day == nil
    }

    /// Whether only the year of weeks is set, so that its first week begins.
    var startsYearOfWeeks: Bool {
        !hasTime && !hasWeek && yearForWeekOfYear != nil && year == nil && month == nil
            && day == nil
    }

    /// Whether of a stretch of days only the first counts.
    var startsStretch: Bool {
        !hasTime && day == nil && weekday == nil
    }

    /// Whether the month is the largest part and the day is free: one date a month, the first.
    var isOncePerMonth: Bool {
        !hasYear && month != nil && day == nil
    }

    /// Whether the month or the day is the largest part: one date a day, in its first hour.
    var isOncePerDay: Bool {
        !hasYear && (month != nil || day != nil)
    }

    /// Whether the parts of the time of day are in their ranges.
    var hasPossibleTime: Bool {
        (hour ?? 0).isIn(0...23) && (minute ?? 0).isIn(0...59) && (second ?? 0).isIn(0...59)
            && (nanosecond ?? 0).isIn(0...999_999_999)
    }

    /// Whether any part is set.
    var isAnySet: Bool {
        hasTime || hasWeek || hasYear || month != nil || day != nil || quarter != nil
    }
}

extension Int {
    func isIn(_ range: ClosedRange<Int>) -> Bool { range.contains(self) }
}
