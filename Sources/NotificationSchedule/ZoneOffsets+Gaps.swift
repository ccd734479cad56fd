internal import NotificationModel

/// What a local time means in a zone.
enum LocalReading: Hashable {
    /// It is this instant.
    case once(Instant)
    /// An autumn hour repeats it.
    case twice(first: Instant, second: Instant)
    /// A spring gap removes it.
    case never(ZoneGap)
}

/// A jump of a zone's clocks forward.
struct ZoneGap: Hashable {
    /// The first second after the jump.
    var seconds: Int64
    /// Seconds east of UTC before it.
    var before: Int
    /// Seconds east of UTC after it.
    var after: Int

    /// How much local time is left out, in seconds.
    var length: Int { after - before }
    /// The first instant after the jump.
    var end: Instant { Instant(seconds: seconds) }
    /// What the clocks would have shown.
    var localStart: CivilTime { CivilTime(seconds: seconds + Int64(before)) }
    /// What they show.
    var localEnd: CivilTime { CivilTime(seconds: seconds + Int64(after)) }
}

extension ZoneOffsets {
    // No zone is more than a day away from UTC, and none changes twice within two days.
    static let quietTime: Int64 = 2 * 86_400

    /// The instants that a local time means.
    func reading(of civil: CivilTime) -> LocalReading {
        let local = civil.seconds
        let (before, after) = (offset(local - Self.quietTime), offset(local + Self.quietTime))
        let early = local - Int64(max(before, after))
        let late = local - Int64(min(before, after))
        switch (isLocal(local, at: early), isLocal(local, at: late)) {
        case (true, true) where early < late:
            return .twice(first: Instant(seconds: early), second: Instant(seconds: late))
        case (true, _): return .once(Instant(seconds: early))
        case (_, true): return .once(Instant(seconds: late))
        case (false, false):
            let change = transition(
                after: local - Self.quietTime, through: local + Self.quietTime)
            return .never(
                ZoneGap(
                    seconds: change ?? late, before: min(before, after), after: max(before, after)))
        }
    }

    /// The first second after `start` at which the offset is another, where it is another at `end`.
    func transition(after start: Int64, through end: Int64) -> Int64? {
        let first = offset(start)
        guard offset(end) != first else { return nil }
        var low = start
        var high = end
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(middle) == first {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    /// A local time as an occurrence: moved to the end of a gap, the first pass of a repeated hour.
    func occurrence(of civil: CivilTime) -> Occurrence {
        switch reading(of: civil) {
        case .once(let instant), .twice(first: let instant, second: _):
            return Occurrence(instant: instant)
        case .never(let gap):
            return Occurrence(
                instant: gap.end,
                shift: .init(wanted: civil, gapStart: gap.localStart, gapEnd: gap.localEnd))
        }
    }

    /// The earlier instant at which the clocks showed the same time, where they repeat it here.
    func firstPass(of instant: Instant) -> Instant? {
        guard case .twice(let first, let second) = reading(of: civilTime(at: instant)),
            instant >= second
        else { return nil }
        return instant.adding(microseconds: first.microseconds - second.microseconds)
    }

    private func isLocal(_ local: Int64, at seconds: Int64) -> Bool {
        seconds + Int64(offset(seconds)) == local
    }
}
