internal import NotificationModel

/// The search of a calendar for matching days and for the times of day on them.
///
/// It owns the way from an instant to the next match on the wall clock, and back to an instant.
///
/// A calendar knows nothing about zones, and a zone nothing about calendars. The calendar gives the
/// next match on the wall clock. The zone's rules give the instant that first shows it.
///
/// It never gives a date twice to a caller that continues from the last date.
protocol WallPattern {
    /// The times of a day that matches.
    var time: TimePattern { get }
    /// Whether some days match and others do not.
    var namesDays: Bool { get }
    /// The first matching day from this one on, in days since 1970-01-01.
    ///
    /// If a month lacks the day, this is the end of that month.
    func nextDay(from start: Int64) -> MatchedDay?
}

/// A day that a calendar found, and whether it stands for a day that its month lacks.
typealias MatchedDay = (day: Int64, isMoved: Bool)

extension WallPattern {
    /// Whether any day at all matches.
    var canMatch: Bool { next(after: .min / 2) != nil }

    /// The first date after this instant on the clocks of a zone.
    ///
    /// For times in each hour, every pass of a repeated time counts; a time in a gap does not.
    func date(after instant: Instant, in rules: ZoneRules) -> Instant? {
        guard instant < .yearTenThousand else { return nil }
        let start = max(instant, .dayBeforeYearOne)
        return time.repeatsWithinDay
            ? eachPass(after: start, in: rules) : firstPass(after: start, in: rules)
    }

    /// The first match after this time on the wall clock, in microseconds; nil without a match.
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

    /// The date of a pattern with an hour: a time that the wall clock has already shown does not
    /// count again.
    ///
    /// The later a time on the wall clock, the later the instant that first shows this time or
    /// more. So the first match after all times that were shown gives the first date.
    private func firstPass(after instant: Instant, in rules: ZoneRules) -> Instant? {
        let whole = instant.wholeSeconds
        let latest = rules.latestWallClock(upTo: whole)
        let shown = latest.shown * 1_000_000 + instant.fraction
        let before = latest.endBefore == .min ? Int64.min : latest.endBefore * 1_000_000 - 1
        return next(after: max(shown, before)).map { first($0, in: rules) }
    }

    /// The date of a match: the first pass of its time, or the end of the gap that removes it.
    private func first(_ match: WallMatch, in rules: ZoneRules) -> Instant {
        let wall = match.wall.floorDivided(by: 1_000_000)
        let second = rules.firstInstant(atWallClock: wall)
        let isShown = rules.wallClock(at: second) == wall
        let fraction = isShown ? match.wall - wall * 1_000_000 : 0
        return Instant(microseconds: second * 1_000_000 + fraction)
    }

    /// The date of a pattern without an hour: searches each period of one offset separately, in
    /// order.
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
                // The end of a month is no time of each hour: only its first pass counts.
                if first(match, in: rules) == instant { return instant }
                shown = match.wall
                continue
            }
            guard period.end < Instant.yearTenThousand.wholeSeconds else { return nil }
            let following = rules.period(at: period.end)
            if let match, isLost(match, between: period, and: following) {
                return first(match, in: rules)
            }
            let far = period.end - Int64(LocalTimeType.farthestOffset) > shown / 1_000_000
            guard let match else {
                // The last match may come once more, if the clock is put back soon.
                if far { return nil }
                period = following
                shown = period.localStart * 1_000_000 - 1
                continue
            }
            // No earlier time matches, so continue with the period of this match.
            let near = match.wall / 1_000_000 - Int64(LocalTimeType.farthestOffset)
            period = far && near > period.end ? rules.period(at: near) : following
            shown = period.localStart * 1_000_000 - 1
        }
    }

    /// Whether a gap removes the end of a month or a whole named day; the gap's end stands for it.
    private func isLost(
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

/// A date and time on the wall clock that a calendar found for components.
private struct WallMatch {
    /// Microseconds from 1970-01-01 00:00:00.
    var wall: Int64
    /// Whether it stands for a day that its month lacks.
    var isMoved = false
}

extension Instant {
    // No date lies beyond these instants, and no sum of a search overflows between them.
    fileprivate static let dayBeforeYearOne = Instant(microseconds: -62_135_683_200_000_000)
    fileprivate static let yearTenThousand = latest.adding(microseconds: 1)
}
