public import NotificationModel

/// Writes instants as RFC 3339 with the zone's offset, `2026-12-24T18:00:00+01:00`.
public enum RFC3339 {
    /// The instant in a zone; a fraction of a second only where there is one.
    public static func text(_ instant: Instant, zone: ZoneOffsets) -> String {
        zone.rfc3339(instant)
    }

    /// `2026-12-24`.
    public static func date(_ time: CivilTime) -> String { time.dateText }

    /// `18:00:00`.
    public static func clock(_ time: CivilTime) -> String { time.clockText }
}
