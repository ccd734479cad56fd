/// What a zone's clocks show during some time: their offset, and how it is called.
public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    public var offset: Int
    /// Whether this is the zone's daylight saving time.
    public var isDaylightSaving: Bool
    /// The abbreviation, `CET`.
    public var abbreviation: String

    /// Makes a local time type.
    public init(offset: Int, isDaylightSaving: Bool = false, abbreviation: String) {
        self.offset = offset
        self.isDaylightSaving = isDaylightSaving
        self.abbreviation = abbreviation
    }

    /// Coordinated universal time.
    public static let utc = LocalTimeType(offset: 0, abbreviation: "UTC")

    /// The farthest that a zone is from UTC, in seconds; RFC 9636 3.2 asks for less than 26 hours.
    static let farthestOffset = 26 * 3_600
}
