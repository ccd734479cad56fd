// From the wall clock to instants. No zone is farther than 26 hours from UTC, so that only that
// much of the table has to be looked at, whatever a change removes or repeats: Lord Howe Island
// moves by half an hour, Samoa left out a day.
extension ZoneRules {
    private static let farthest = Int64(LocalTimeType.farthestOffset)
    /// Nearer than the horizon of the periods, so that each of them ends after it began.
    private static let horizon: Int64 = 1 << 44

    private static func held(_ seconds: Int64) -> Int64 {
        min(max(seconds, -horizon), horizon)
    }

    /// What the wall clock shows at an instant, in seconds from 1970-01-01 00:00:00.
    public func wallClock(at seconds: Int64) -> Int64 {
        let seconds = Self.held(seconds)
        return seconds + Int64(offset(at: seconds))
    }

    /// The instants at which the wall clock shows this time, in order: none in a gap, two where
    /// the clock was put back over it.
    public func instants(ofWallClock wall: Int64) -> [Int64] {
        var result: [Int64] = []
        let wall = Self.held(wall)
        var period = period(at: wall - Self.farthest)
        while true {
            let candidate = wall - Int64(period.offset)
            if period.start <= candidate, candidate < period.end { result.append(candidate) }
            guard period.end <= wall + Self.farthest else { return result }
            period = self.period(at: period.end)
        }
    }

    /// The first instant at which the wall clock shows this time or a later one: the first pass of
    /// a repeated time, the end of the gap for a removed one.
    public func firstInstant(atWallClock wall: Int64) -> Int64 {
        let wall = Self.held(wall)
        var period = period(at: wall - Self.farthest)
        while period.localEnd <= wall {
            period = self.period(at: period.end)
        }
        return max(period.start, wall - Int64(period.offset))
    }

    /// The latest time that the wall clock has shown up to this instant, and the end, exclusive,
    /// of what it showed before it was put back, if that is later.
    func latestWallClock(upTo seconds: Int64) -> (shown: Int64, endBefore: Int64) {
        let seconds = Self.held(seconds)
        var period = period(at: seconds)
        let shown = seconds + Int64(period.offset)
        var endBefore = Int64.min
        while period.start > seconds - 2 * Self.farthest {
            period = self.period(at: period.start - 1)
            endBefore = max(endBefore, period.localEnd)
        }
        return (shown, endBefore)
    }
}
