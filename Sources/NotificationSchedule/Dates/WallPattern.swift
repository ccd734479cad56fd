internal import NotificationModel

/// A calendar's pattern of days and times, and the search for the next date in a zone.
///
/// A calendar knows nothing about zones, and a zone nothing about calendars. The calendar gives the
/// next match on the wall clock. The zone's rules give the first instant at which the wall clock
/// shows the match.
///
/// Clocks that are put forward skip some times: these times are in a gap. Clocks that are put back
/// show some times twice: each showing is a pass.
///
/// A caller that continues from the last date gets no date twice.
protocol WallPattern {
    /// The times of a day that matches.
    var time: TimePattern { get }
    /// Whether the pattern restricts the days; false if every day matches.
    var namesDays: Bool { get }
    /// The first matching day at or after `start`; nil if no day matches.
    ///
    /// `start` and the found day are counted from 1970-01-01.
    ///
    /// If a month lacks the wanted day, the result is the first day of the next month, with
    /// `isMoved` set. A pattern with a part that depends on weekdays skips such a month.
    func nextDay(from start: Int64) -> MatchedDay?
}

/// A day that a calendar found.
///
/// `isMoved` tells whether the day stands in for a day that the month before lacks.
typealias MatchedDay = (day: Int64, isMoved: Bool)

extension WallPattern {
    var canMatch: Bool { next(after: .min / 2) != nil }

    /// The first date after an instant, on the clocks of a zone.
    ///
    /// If the pattern has times in each hour, both passes of a time give dates, and times in a gap
    /// are skipped. `movesToGapEnd` describes two exceptions for gaps.
    func date(after instant: Instant, in rules: ZoneRules) -> Instant? {
        guard instant < .yearTenThousand else { return nil }
        let start = max(instant, .dayBeforeYearOne)
        return time.repeatsWithinDay
            ? eachPass(after: start, in: rules) : firstPass(after: start, in: rules)
    }

    /// The first match after the time `wall` of the wall clock; nil if no date matches.
    ///
    /// `wall` is in microseconds since 1970-01-01 00:00:00.
    private func next(after wall: Int64) -> WallMatch? {
        let day = wall.floorDivided(by: TimePattern.day)
        guard let found = nextDay(from: day) else { return nil }
        if found.isMoved || found.day > day { return match(found) }
        if let time = time.next(after: wall - day * TimePattern.day) {
            return WallMatch(wall: day * TimePattern.day + time)
        }
        return nextDay(from: day + 1).map { match($0) }
    }

    private func match(_ found: MatchedDay) -> WallMatch {
        WallMatch(
            wall: found.day * TimePattern.day + (found.isMoved ? 0 : time.first),
            isMoved: found.isMoved)
    }

    /// The next date of a pattern with one time a day.
    ///
    /// A time that the wall clock has already shown gives no second date. So the search begins
    /// after the latest time that the clock has shown. The first match on the wall clock is also
    /// the first in time, because `firstInstant(atWallClock:)` never decreases for later times.
    private func firstPass(after instant: Instant, in rules: ZoneRules) -> Instant? {
        let whole = instant.wholeSeconds
        let latest = rules.latestWallClock(upTo: whole)
        let shown = latest.shown * 1_000_000 + instant.fraction
        let before = latest.endBefore == .min ? Int64.min : latest.endBefore * 1_000_000 - 1
        return next(after: max(shown, before)).map { first($0, in: rules) }
    }

    /// The instant of a match: the first pass of the match's time, or the end of the gap that
    /// removes that time.
    private func first(_ match: WallMatch, in rules: ZoneRules) -> Instant {
        let wall = match.wall.floorDivided(by: 1_000_000)
        let second = rules.firstInstant(atWallClock: wall)
        let isShown = rules.wallClock(at: second) == wall
        let fraction = isShown ? match.wall - wall * 1_000_000 : 0
        return Instant(microseconds: second * 1_000_000 + fraction)
    }

    /// The next date of a pattern with times in each hour.
    ///
    /// The search visits one period of the zone after another. Within a period, the offset is
    /// constant.
    private func eachPass(after instant: Instant, in rules: ZoneRules) -> Instant? {
        let whole = instant.wholeSeconds
        var period = rules.period(at: whole)
        var shown = instant.microseconds + Int64(period.offset) * 1_000_000
        while true {
            let match = next(after: shown)
            if let match, period.localEnd == .max || match.wall < period.localEnd * 1_000_000 {
                let instant = Instant(
                    microseconds: match.wall - Int64(period.offset) * 1_000_000)
                if !match.isMoved { return instant }
                // The first day of a month replaces a missing day only once, so only the first pass
                // gives a date.
                if first(match, in: rules) == instant { return instant }
                shown = match.wall
                continue
            }
            guard period.end < Instant.yearTenThousand.wholeSeconds else { return nil }
            let following = rules.period(at: period.end)
            if let match, movesToGapEnd(match, between: period, and: following) {
                return first(match, in: rules)
            }
            let far = period.end - Int64(LocalTimeType.farthestOffset) > shown / 1_000_000
            guard let match else {
                // No later time matches. But if the clock is put back soon, it shows the last match
                // again.
                if far { return nil }
                period = following
                shown = period.localStart * 1_000_000 - 1
                continue
            }
            // No earlier time matches, so skip the periods that end long before the match.
            let near = match.wall / 1_000_000 - Int64(LocalTimeType.farthestOffset)
            period = far && near > period.end ? rules.period(at: near) : following
            shown = period.localStart * 1_000_000 - 1
        }
    }

    /// Whether a match lies in a gap and still gives a date, at the gap's end.
    ///
    /// True for a match with `isMoved`, and for a match on a day that the pattern names and the gap
    /// removes as a whole.
    private func movesToGapEnd(
        _ match: WallMatch, between period: ZonePeriod, and following: ZonePeriod
    ) -> Bool {
        let day = match.wall.floorDivided(by: TimePattern.day)
        let gap =
            period.localEnd * 1_000_000..<max(period.localEnd, following.localStart) * 1_000_000
        guard gap.contains(match.wall) else { return false }
        let isWholeDay =
            gap.lowerBound <= day * TimePattern.day && (day + 1) * TimePattern.day <= gap.upperBound
        return match.isMoved || namesDays && isWholeDay
    }
}

private struct WallMatch {
    /// Microseconds from 1970-01-01 00:00:00.
    var wall: Int64
    /// Whether the date stands in for a day that the month before lacks.
    var isMoved = false
}

extension Instant {
    // All dates are between these instants, and no sum of a search overflows between them.
    fileprivate static let dayBeforeYearOne = Instant(microseconds: -62_135_683_200_000_000)
    fileprivate static let yearTenThousand = latest.adding(microseconds: 1)
}
