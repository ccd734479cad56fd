/// A point of wall-clock time, in microseconds since 1970-01-01 00:00:00 UTC.
///
/// The model stays free of Foundation so that the command-line tool starts fast; `Date` appears
/// only in the façade and in calendar arithmetic. Int64 microseconds reach past the year 290,000.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01 00:00:00 UTC; negative before it.
    public var microseconds: Int64

    /// Makes the instant that lies this many microseconds after 1970-01-01 00:00:00 UTC.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes an instant from seconds since 1970, rounded to microseconds, or nil where the value is
    /// not finite or out of range.
    public init?(secondsSince1970 seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded()
        guard scaled.isFinite, abs(scaled) < 9.2e18 else { return nil }
        self.microseconds = Int64(scaled)
    }

    /// Seconds since 1970-01-01 00:00:00 UTC.
    public var secondsSince1970: Double { Double(microseconds) / 1_000_000 }

    /// The instant this many microseconds later, held at the ends of the range.
    public func adding(microseconds delta: Int64) -> Instant {
        Instant(microseconds: microseconds.saturatingAdd(delta))
    }

    /// Microseconds from another instant to this one, held at the ends of the range.
    package func microseconds(since other: Instant) -> Int64 {
        microseconds.saturatingSubtract(other.microseconds)
    }

    /// The last microsecond of the year 9999.
    package static let latest = Instant(
        microseconds: Limits.date.range.upperBound * 1_000_000 + 999_999)

    /// Whether it is a date that a request may name: one from 1970 to 9999.
    package var isUsable: Bool { microseconds >= 0 && self <= .latest }

    /// Whether the left instant comes first.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Decodes the compact form in which the store keeps it.
    public init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the compact form in which the store keeps it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}
