package import NotificationModel

/// Finds the instant at which a zone's clocks show what a calendar looks for.
///
/// The calendar knows nothing of zones, the zone nothing of calendars: a calendar says what comes
/// next on the wall, and the zone's rules say when the wall clock first shows it.
package struct WallClockSearch {
    private let rules: ZoneRules
    private let countsRepeated: Bool
    private let namesDays: Bool
    private let day: Int?
    private let next: (Int64) -> WallMatch?

    /// Makes a search.
    ///
    /// - Parameters:
    ///   - countsRepeated: whether every pass of a repeated time counts, and a removed one not.
    ///   - namesDays: whether some days match and others do not.
    ///   - day: the day of the month that is looked for, for `Shift.missingDay`.
    ///   - next: the first match after this time on the wall, in microseconds.
    package init(
        rules: ZoneRules, countsRepeated: Bool, namesDays: Bool, day: Int?,
        next: @escaping (Int64) -> WallMatch?
    ) {
        self.rules = rules
        self.countsRepeated = countsRepeated
        self.namesDays = namesDays
        self.day = day
        self.next = next
    }

    // Times beyond these years are no dates, and no sum below can overflow.
    private static let earliest = Instant(microseconds: -62_135_596_800_000_000 - 86_400_000_000)
    private static let latest = Instant(microseconds: 253_402_300_800_000_000)

    /// The first date after this instant.
    package func date(after instant: Instant) -> NextDate? {
        guard instant < Self.latest else { return nil }
        let start = max(instant, Self.earliest)
        return countsRepeated ? eachPass(after: start) : firstPass(after: start)
    }

    /// With an hour: what the wall clock has shown by now, in whichever pass, is over.
    ///
    /// "When the wall clock first shows this or more" never decreases as the time on the wall
    /// increases; so the first match after all that has been shown gives the first date.
    private func firstPass(after instant: Instant) -> NextDate? {
        let whole = instant.wholeSeconds
        let latest = rules.latestWallClock(upTo: whole)
        let shown = latest.shown * 1_000_000 + (instant.microseconds - whole * 1_000_000)
        let before = latest.endBefore == .min ? Int64.min : latest.endBefore * 1_000_000 - 1
        return next(max(shown, before)).map(first)
    }

    /// The date of a match: the first pass of its time, or the end of the gap that removes it.
    private func first(_ match: WallMatch) -> NextDate {
        let wall = match.wall.floorDivided(by: 1_000_000)
        let second = rules.firstInstant(atWallClock: wall)
        let isShown = rules.wallClock(at: second) == wall
        let instant = second * 1_000_000 + (isShown ? match.wall - wall * 1_000_000 : 0)
        return NextDate(
            instant: Instant(microseconds: instant), shift: shift(of: match, isShown: isShown))
    }

    private func shift(of match: WallMatch, isShown: Bool) -> NextDate.Shift? {
        if match.isMoved, let day { return .missingDay(day) }
        let wall = match.wall.floorDivided(by: 1_000_000)
        return isShown ? nil : .gap(removed: CivilTime(seconds: wall))
    }

    /// Without an hour: each period of one offset by itself, in order.
    private func eachPass(after instant: Instant) -> NextDate? {
        let whole = instant.wholeSeconds
        var period = rules.period(at: whole)
        var shown = instant.microseconds + Int64(period.offset) * 1_000_000
        while true {
            let match = next(shown)
            if let match, period.localEnd == .max || match.wall < period.localEnd * 1_000_000 {
                let instant = Instant(
                    microseconds: match.wall - Int64(period.offset) * 1_000_000)
                if !match.isMoved { return NextDate(instant: instant, shift: nil) }
                // The end of a month is an occurrence of its own, and counts once.
                let date = first(match)
                if date.instant == instant { return date }
                shown = match.wall
                continue
            }
            guard period.end < Self.latest.wholeSeconds else { return nil }
            let following = rules.period(at: period.end)
            if let match, let date = lost(match, between: period, and: following) { return date }
            let far = period.end - Int64(LocalTimeType.farthestOffset) > shown / 1_000_000
            guard let match else {
                // What is over in the calendar may come once more where a clock is put back.
                if far { return nil }
                period = following
                shown = period.localStart * 1_000_000 - 1
                continue
            }
            // Between here and the match nothing matches: go to its period at once.
            let near = match.wall / 1_000_000 - Int64(LocalTimeType.farthestOffset)
            period = far && near > period.end ? rules.period(at: near) : following
            shown = period.localStart * 1_000_000 - 1
        }
    }

    /// The end of a gap that removes a match, where that is not just one of many times.
    private func lost(
        _ match: WallMatch, between period: ZonePeriod, and following: ZonePeriod
    ) -> NextDate? {
        let day = match.wall.floorDivided(by: TimePattern.day)
        let gap =
            period.localEnd * 1_000_000..<max(period.localEnd, following.localStart) * 1_000_000
        guard gap.contains(match.wall) else { return nil }
        let isWholeDay =
            gap.lowerBound <= day * TimePattern.day && (day + 1) * TimePattern.day <= gap.upperBound
        return match.isMoved || namesDays && isWholeDay ? first(match) : nil
    }
}

/// A date and time on the wall that a calendar found for components.
package struct WallMatch: Hashable, Sendable {
    /// Microseconds from 1970-01-01 00:00:00.
    package var wall: Int64
    /// Whether it stands for a day that its month lacks.
    package var isMoved: Bool

    /// Makes a match.
    package init(wall: Int64, isMoved: Bool = false) {
        self.wall = wall
        self.isMoved = isMoved
    }
}
