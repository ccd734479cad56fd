public import NotificationModel

// This extension finds the instants of wall-clock times. No zone is more than 26 hours from UTC, so
// a search visits only the changes within 26 hours of the time. A change may remove or repeat any
// length of time. Lord Howe Island moves its clocks by half an hour, and Samoa left out a day.
extension ZoneRules {
    private static let farthest = Int64(LocalTimeType.farthestOffset)
    /// The farthest time of a search; no search exceeds the greater horizon of `period(at:)`.
    private static let horizon: Int64 = 1 << 44

    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, -horizon), horizon)
    }

    /// The time that the wall clock shows at an instant, in seconds from 1970-01-01 00:00:00.
    package func wallClock(at seconds: Int64) -> Int64 {
        let seconds = Self.clamped(seconds)
        return seconds + Int64(offset(at: seconds))
    }

    /// The instants at which the wall clock shows this time, in order.
    ///
    /// A time in a gap has no instant. If the clock was put back over a time, the time has two
    /// instants.
    package func instants(ofWallClock wall: Int64) -> [Int64] {
        var result: [Int64] = []
        let wall = Self.clamped(wall)
        var period = period(at: wall - Self.farthest)
        while true {
            let candidate = wall - Int64(period.offset)
            if period.start <= candidate, candidate < period.end { result.append(candidate) }
            guard period.end <= wall + Self.farthest else { return result }
            period = self.period(at: period.end)
        }
    }

    /// The first instant at which the wall clock shows this time or a later time.
    ///
    /// For a repeated time, the result is the first of the two instants. For a removed time, the
    /// result is the end of the gap.
    package func firstInstant(atWallClock wall: Int64) -> Int64 {
        let wall = Self.clamped(wall)
        var period = period(at: wall - Self.farthest)
        while period.localEnd <= wall {
            period = self.period(at: period.end)
        }
        return max(period.start, wall - Int64(period.offset))
    }

    /// The time on the wall clock at this instant, and the end of the times that it showed before.
    ///
    /// `endBefore` is later than every time that the clock showed in earlier periods. If the clock
    /// was put back over `shown`, `endBefore` is later than `shown`. It is `Int64.min` if this
    /// period began so long ago that the clock cannot have shown a later time.
    func latestWallClock(upTo seconds: Int64) -> (shown: Int64, endBefore: Int64) {
        let seconds = Self.clamped(seconds)
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

// Dates and times in a zone. A time that a spring gap removes moves to the gap's end. A time that
// the clock shows twice in autumn means the first of the two instants.
extension ZoneRules {
    /// The local time at an instant.
    public func civilTime(at instant: Instant) -> CivilTime {
        CivilTime(seconds: wallClock(at: instant.wholeSeconds))
    }

    /// The instant as RFC 3339 with the zone's offset, `2026-12-24T18:00:00+01:00`.
    public func rfc3339(_ instant: Instant) -> String {
        instant.rfc3339(offset: offset(at: instant.wholeSeconds))
    }

    /// The instant of a local time.
    public func instant(of civil: CivilTime) -> Instant {
        occurrence(of: civil).instant
    }

    /// A local time as an occurrence.
    ///
    /// If a gap removes the time, `shift` has the gap.
    func occurrence(of civil: CivilTime) -> Occurrence {
        let second = firstInstant(atWallClock: civil.seconds)
        let occurrence = Occurrence(instant: Instant(seconds: second))
        let shown = wallClock(at: second)
        guard shown > civil.seconds else { return occurrence }
        let gapStart = CivilTime(seconds: wallClock(at: second - 1) + 1)
        return Occurrence(
            instant: occurrence.instant,
            shift: .init(wanted: civil, gapStart: gapStart, gapEnd: CivilTime(seconds: shown)))
    }

    /// The earlier instant at which the clocks show the same time; nil if no earlier instant
    /// exists.
    func firstPass(of instant: Instant) -> Instant? {
        let seconds = instant.wholeSeconds
        guard let first = instants(ofWallClock: wallClock(at: seconds)).first, first < seconds
        else {
            return nil
        }
        return Instant(seconds: first).adding(microseconds: instant.fraction)
    }
}
