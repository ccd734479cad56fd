public import NotificationModel

/// A cron expression of five fields, `30 9 * * 1-5`, or one of cron's names, `@daily`.
///
/// If both the day of the month and the weekday are restricted, a date matches if one of them
/// matches.
///
/// If the clocks change by at most three hours, the rules of Debian's cron(8) hold:
/// - A time that the clocks skip fires at the moment at which they are put forward.
/// - A time that the clocks show twice fires once.
/// - If the minute or the hour begins with `*`, the expression instead fires at every matching
///   minute that the clocks show. So a skipped time never fires, and a repeated time fires twice.
///
/// If the clocks are put forward by more than three hours, the skipped times do not fire.
public struct CronExpression: Hashable, Sendable {
    var minute: CronField
    var hour: CronField
    var day: CronField
    var month: CronField
    var weekday: CronField

    /// Whether the expression fires at each matching minute that the clocks show.
    var isWildcard: Bool { minute.isStar || hour.isStar }

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
    /// The longest gap whose times fire at the gap's end, in seconds; see Debian's cron(8).
    private static let longestGap: Int64 = 3 * 3_600
    // Every date, even 29 February, falls on the same weekday again within 40 years.
    private static let searchedDays: Int64 = 41 * 366
    /// The search may skip all times that are more than this many seconds before a match.
    ///
    /// The match was computed for clocks that never change. A change moves the clocks by at most
    /// about a day, so no skipped time can match.
    private static let quietTime: Int64 = 2 * 86_400

    /// The first date after an instant, in a zone; nil if no date follows.
    public func next(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        isWildcard ? nextMinute(after: instant, in: zone) : nextFixed(after: instant, in: zone)
    }

    private func nextDate(from date: CivilTime) -> CivilTime? {
        date.firstDate(within: Self.searchedDays, matching: matches) { month.contains($0.month) }
    }

    // MARK: - Fixed times

    private func nextFixed(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        let times = hour.list.flatMap { hour in
            minute.list.map { TimeOfDay(hour: hour, minute: $0) }
        }
        return zone.firstOccurrence(of: times, after: instant, on: nextDate, where: { !isLost($0) })
    }

    /// Whether a gap longer than `longestGap` removes the time.
    ///
    /// Such a gap is a correction of the clocks, not summer time.
    private func isLost(_ occurrence: Occurrence) -> Bool {
        guard let shift = occurrence.shift else { return false }
        return shift.gapEnd.seconds - shift.gapStart.seconds > Self.longestGap
    }

    // MARK: - Wildcards

    private func nextMinute(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        let limit = instant.wholeSeconds + Self.searchedDays * 86_400
        var seconds = instant.wholeSeconds + 1
        while seconds < limit {
            let period = zone.period(at: seconds)
            let local = seconds + Int64(period.offset)
            guard let match = nextLocal(from: CivilTime(seconds: (local + 59).minuteStart)) else {
                return nil
            }
            let candidate = seconds + match.seconds - local
            if candidate - seconds > Self.quietTime {
                seconds = candidate - Self.quietTime
            } else if candidate < period.end {
                return Occurrence(instant: Instant(seconds: candidate))
            } else {
                seconds = period.end
            }
        }
        return nil
    }

    /// The first matching minute at or after `time`, on clocks that never change.
    private func nextLocal(from time: CivilTime) -> CivilTime? {
        var time = time
        while let date = nextDate(from: time) {
            let from = date.dayNumber == time.dayNumber ? time : date
            if let found = minuteOfDay(from: from) { return found }
            time = date.adding(days: 1)
        }
        return nil
    }

    /// The first matching minute at or after `time`, on the same day.
    private func minuteOfDay(from time: CivilTime) -> CivilTime? {
        for hour in hour.list where hour >= time.hour {
            if let minute = minute.next(from: hour > time.hour ? 0 : time.minute) {
                return CivilTime(
                    year: time.year, month: time.month, day: time.day, hour: hour, minute: minute)
            }
        }
        return nil
    }
}

extension Int64 {
    /// This number of seconds, rounded down to a whole minute.
    fileprivate var minuteStart: Int64 { self - (self % 60 + 60) % 60 }
}
