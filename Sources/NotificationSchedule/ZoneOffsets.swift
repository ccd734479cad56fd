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

    /// The instant of a local time.
    public func instant(of civil: CivilTime) -> Instant {
        occurrence(of: civil).instant
    }
}

extension Instant {
    /// Makes the instant that lies this many seconds after 1970, held at the ends of the range.
    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (seconds > 0 ? .max : .min) : product)
    }

    /// Seconds since 1970, rounded down.
    package var wholeSeconds: Int64 {
        let seconds = microseconds / 1_000_000
        return microseconds % 1_000_000 < 0 ? seconds - 1 : seconds
    }
}
