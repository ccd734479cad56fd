import Foundation
import NotificationModel
import NotificationSchedule

/// Finds the next date on a wall clock, minute by minute.
///
/// It is slow, and shares no code with the search that it checks. Foundation's calendar in GMT
/// computes the days. The components and the zone's offsets must be whole minutes.
struct ClockHands {
    let components: CalendarComponents
    let rules: ZoneRules
    private let calendar: Calendar
    private var days: [Int64: Bool] = [:]

    init(_ components: CalendarComponents, in rules: ZoneRules) {
        self.components = components
        self.rules = rules
        var calendar = Calendar(
            identifier: components.calendar == "iso8601" ? .iso8601 : .gregorian)
        calendar.timeZone = .gmt
        self.calendar = calendar
    }

    private var hasHour: Bool { components.hour != nil }
    private var hasTime: Bool { hasHour || components.minute != nil }
    private var hasYear: Bool {
        components.era != nil || components.year != nil || components.yearForWeekOfYear != nil
    }
    private var hasWeek: Bool {
        components.weekday != nil || components.weekdayOrdinal != nil
            || components.weekOfMonth != nil || components.weekOfYear != nil
    }
    /// Whether a day has at most one date.
    ///
    /// True if the components have an hour or no time at all, or if their largest part is a month
    /// or a day.
    private var isOnePerDay: Bool {
        hasHour || !hasTime
            || !hasYear && (components.month != nil || components.day != nil)
    }

    /// Returns the first due minute after `start` and before `end`; nil if there is none.
    mutating func next(after start: Int64, before end: Int64) -> Int64? {
        var instant = start
        // The latest time that the clock has shown. No clock goes back by more than a day.
        var shown = Int64.min
        for past in stride(from: start - 25 * 3_600, through: start, by: 60) {
            shown = max(shown, rules.wallClock(at: past))
        }
        var last = rules.wallClock(at: start)
        while instant + 60 < end {
            instant += 60
            let wall = rules.wallClock(at: instant)
            if isDue(wall, after: last, shown: shown) { return instant }
            last = wall
            shown = max(shown, wall)
        }
        return nil
    }

    private mutating func isDue(_ wall: Int64, after last: Int64, shown: Int64) -> Bool {
        if isOnePerDay {
            // Check every minute that the clock reaches or skips for the first time.
            guard wall > shown else { return false }
            for minute in stride(from: shown + 60, through: wall, by: 60)
            where matches(minute) || isMonthEnd(minute) {
                return true
            }
            return false
        }
        if matches(wall) { return true }
        guard wall > shown else { return false }
        for minute in stride(from: shown + 60, through: wall, by: 60) where isMonthEnd(minute) {
            return true
        }
        // If the clocks have just skipped a whole day, its dates are due now.
        return namesDays && wall > last + 86_400
            && stride(from: last + 60, to: wall, by: 60).contains { minute in
                let day = minute.floored(by: 86_400)
                return matches(minute) && day > last && day + 86_400 <= wall
            }
    }

    private var namesDays: Bool {
        hasYear && components.era == nil || hasWeek || components.day != nil
            || components.month != nil
    }

    /// Whether a month that lacks the wanted day has just ended.
    private func isMonthEnd(_ wall: Int64) -> Bool {
        guard wall % 86_400 == 0, let day = components.day, day > 28, !hasWeek else { return false }
        // If the given month never has the wanted day, the components match no date.
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if let month = components.month, day > longest[month - 1] { return false }
        let parts = self.parts(wall - 86_400)
        guard let last = parts.day, last < day, fits(parts, withDay: false) else { return false }
        return self.parts(wall).day == 1
    }

    private mutating func matches(_ wall: Int64) -> Bool {
        let time = wall - wall.floored(by: 86_400)
        let minute = Int(time / 60)
        if isOnePerDay {
            guard minute == (components.hour ?? 0) * 60 + (components.minute ?? 0) else {
                return false
            }
        } else {
            guard minute % 60 == components.minute ?? 0 else { return false }
        }
        return matchesDay(wall.floored(by: 86_400))
    }

    private mutating func matchesDay(_ day: Int64) -> Bool {
        if let known = days[day] { return known }
        let result = computeDay(day)
        days[day] = result
        return result
    }

    private func computeDay(_ day: Int64) -> Bool {
        let parts = self.parts(day)
        guard fits(parts, withDay: true) else { return false }
        if !hasYear, components.month != nil, components.day == nil, let number = parts.day {
            // Only the first matching day of the month counts.
            for earlier in 1..<max(number, 1) {
                let other = self.parts(day - Int64(number - earlier) * 86_400)
                if fits(other, withDay: true) { return false }
            }
        }
        guard !hasTime, components.day == nil, components.weekday == nil else { return true }
        if !hasWeek, components.yearForWeekOfYear == nil {
            return parts.day == 1 && (components.month != nil || parts.month == 1)
        }
        return !fits(self.parts(day - 86_400), withDay: true)
    }

    private func fits(_ parts: DateComponents, withDay: Bool) -> Bool {
        func fits(_ wanted: Int?, _ found: Int?) -> Bool { wanted == nil || wanted == found }
        return fits(components.year, parts.year) && fits(components.month, parts.month)
            && (!withDay || fits(components.day, parts.day))
            && fits(components.weekday, parts.weekday)
            && fits(components.weekdayOrdinal, parts.weekdayOrdinal)
            && fits(components.weekOfMonth, parts.weekOfMonth)
            && fits(components.weekOfYear, parts.weekOfYear)
            && fits(components.yearForWeekOfYear, parts.yearForWeekOfYear)
    }

    private func parts(_ wall: Int64) -> DateComponents {
        calendar.dateComponents(
            [
                .year, .month, .day, .weekday, .weekdayOrdinal, .weekOfMonth, .weekOfYear,
                .yearForWeekOfYear,
            ], from: Date(timeIntervalSince1970: Double(wall)))
    }
}

extension Int64 {
    /// The largest multiple of the divisor that is not above this number.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? self - rest - divisor : self - rest
    }
}
