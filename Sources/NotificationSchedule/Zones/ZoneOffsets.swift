internal import Glibc
public import NotificationModel

/// A time zone as a function: how far local time is ahead of UTC at an instant.
///
/// Both directions of the conversion follow from it, so that one rule for gaps and repeated hours
/// holds wherever the offsets come from: a time that a spring gap removes moves to the gap's end,
/// a time that an autumn hour repeats is its first pass.
public struct ZoneOffsets: Sendable {
    /// Seconds east of UTC at this many seconds since 1970.
    public let offset: @Sendable (Int64) -> Int
    /// The zone's abbreviation at this many seconds since 1970, `CET`.
    public let abbreviation: @Sendable (Int64) -> String

    /// Makes a zone of its functions.
    public init(
        offset: @escaping @Sendable (Int64) -> Int,
        abbreviation: @escaping @Sendable (Int64) -> String
    ) {
        self.offset = offset
        self.abbreviation = abbreviation
    }

    /// A zone that is always this many seconds east of UTC.
    public static func fixed(_ seconds: Int, abbreviation: String = "") -> ZoneOffsets {
        ZoneOffsets(offset: { _ in seconds }, abbreviation: { _ in abbreviation })
    }

    /// The local time at an instant.
    public func civilTime(at instant: Instant) -> CivilTime {
        let seconds = instant.wholeSeconds
        return CivilTime(seconds: seconds + Int64(offset(seconds)))
    }

    /// The instant as RFC 3339 with the zone's offset, `2026-12-24T18:00:00+01:00`.
    public func rfc3339(_ instant: Instant) -> String {
        instant.rfc3339(offset: offset(instant.wholeSeconds))
    }

    /// The instant of a local time.
    public func instant(of civil: CivilTime) -> Instant {
        occurrence(of: civil).instant
    }
}

extension ZoneOffsets {
    /// The zone of these rules.
    public init(_ rules: ZoneRules) {
        self.init(
            offset: { rules.offset(at: $0) },
            abbreviation: { rules.localTime(at: $0).abbreviation })
    }
}

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

extension ZoneOffsets {
    /// The zone of this process: `TZ` where it is set, else the system's, by the system's tzdata.
    public static var system: ZoneOffsets {
        var environment: [String: String] = [:]
        for name in ["TZ", "TZDIR"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        // Whoever prints a time shows its offset: no message beside it.
        var directory = ZoneDirectory(environment: environment, files: .system, report: { _ in })
        let name =
            PersonsZone.fixed(environment: environment, directory: &directory)
            ?? PersonsZone.ofSystem(files: .system, directory: &directory)
        return ZoneOffsets(directory.rulesOrUTC(named: name))
    }
}
