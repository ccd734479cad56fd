public import NotificationModel

/// A cron expression of five fields, `30 9 * * 1-5`, or one of cron's names, `@daily`.
///
/// Where both the day of the month and the weekday are restricted, either of them is enough.
/// When clocks change by at most three hours, the rules of Debian's cron hold: what a gap removes
/// fires at its end, what is repeated does not fire again; an expression whose minute or hour
/// begins with `*` follows the clock instead and fires in both passes of an hour.
public struct CronExpression: Hashable, Sendable {
    var minute: CronField
    var hour: CronField
    var day: CronField
    var month: CronField
    var weekday: CronField

    /// Whether it follows the clock, minute for minute, when clocks change.
    var isWildcard: Bool { minute.isStar || hour.isStar }

    /// Whether it fires on this date.
    func matches(_ date: CivilTime) -> Bool {
        guard month.contains(date.month) else { return false }
        let isDay = day.contains(date.day)
        let isWeekday = weekday.contains(date.weekday - 1)
        return day.isStar || weekday.isStar ? isDay && isWeekday : isDay || isWeekday
    }
}

extension CronExpression: CustomStringConvertible {
    /// The five fields, with numbers in place of names.
    public var description: String {
        [minute, hour, day, month, weekday].map(\.description).joined(separator: " ")
    }
}

extension CronExpression {
    /// The longest gap whose times are made up for, in seconds; Debian's cron(8).
    private static let longestGap = 3 * 3_600
    // The same day of February on the same weekday comes within 40 years.
    private static let searchedDays = 41 * 366

    /// The first date after an instant in a zone, or nil where there is none.
    public func next(after instant: Instant, in zone: ZoneOffsets) -> Occurrence? {
        isWildcard ? nextMinute(after: instant, in: zone) : nextFixed(after: instant, in: zone)
    }

    /// The first date from `date` on that matches, if there is one.
    private func nextDate(from date: CivilTime) -> CivilTime? {
        var date = CivilTime(year: date.year, month: date.month, day: date.day)
        let limit = date.dayNumber + Int64(Self.searchedDays)
        while date.dayNumber < limit {
            if matches(date) { return date }
            date = month.contains(date.month) ? date.adding(days: 1) : date.startOfNextMonth
        }
        return nil
    }

    // MARK: - Fixed times

    private func nextFixed(after instant: Instant, in zone: ZoneOffsets) -> Occurrence? {
        // A day early: clocks that go back over midnight show yesterday again.
        var from = zone.civilTime(at: instant).adding(days: -1)
        while let date = nextDate(from: from) {
            for hour in hour.list {
                for minute in minute.list {
                    var time = date
                    (time.hour, time.minute) = (hour, minute)
                    let occurrence = zone.occurrence(of: time)
                    if occurrence.instant > instant, !isLost(occurrence) { return occurrence }
                }
            }
            from = date.adding(days: 1)
        }
        return nil
    }

    /// Whether it fell into a change of clocks that is a correction and no summer time.
    private func isLost(_ occurrence: Occurrence) -> Bool {
        guard let shift = occurrence.shift else { return false }
        return shift.gapEnd.seconds - shift.gapStart.seconds > Int64(Self.longestGap)
    }

    // MARK: - Wildcards

    private func nextMinute(after instant: Instant, in zone: ZoneOffsets) -> Occurrence? {
        let limit = instant.wholeSeconds + Int64(Self.searchedDays) * 86_400
        var seconds = instant.wholeSeconds + 1
        while seconds < limit {
            let local = seconds + Int64(zone.offset(seconds))
            guard let match = nextLocal(from: CivilTime(seconds: (local + 59).minuteStart)) else {
                return nil
            }
            let candidate = seconds + match.seconds - local
            // Far away nothing can match before, whatever the clocks do meanwhile.
            if candidate - seconds > ZoneOffsets.quietTime {
                seconds = candidate - ZoneOffsets.quietTime
                continue
            }
            let change = zone.transition(after: seconds, through: seconds + ZoneOffsets.quietTime)
            guard let change, change <= candidate else {
                return Occurrence(instant: Instant(seconds: candidate))
            }
            seconds = change
        }
        return nil
    }

    /// The first minute from `time` on that matches, on clocks that never change.
    private func nextLocal(from time: CivilTime) -> CivilTime? {
        guard var date = nextDate(from: time) else { return nil }
        if date.dayNumber == time.dayNumber {
            if let found = minuteOfDay(on: date, from: time) { return found }
            guard let later = nextDate(from: date.adding(days: 1)) else { return nil }
            date = later
        }
        return minuteOfDay(on: date, from: date)
    }

    private func minuteOfDay(on date: CivilTime, from time: CivilTime) -> CivilTime? {
        var result = date
        var from = hour.next(from: time.hour)
        while let hour = from {
            let isLater = hour > time.hour
            if let minute = minute.next(from: isLater ? 0 : time.minute) {
                (result.hour, result.minute) = (hour, minute)
                return result
            }
            from = self.hour.next(from: hour + 1)
        }
        return nil
    }
}

extension CivilTime {
    /// 00:00 on the first of the next month.
    var startOfNextMonth: CivilTime {
        CivilTime(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    }
}

extension Int64 {
    /// Rounded down to a whole minute.
    fileprivate var minuteStart: Int64 { self - (self % 60 + 60) % 60 }
}
