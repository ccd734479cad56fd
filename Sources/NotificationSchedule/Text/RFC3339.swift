public import NotificationModel

/// Writes instants as RFC 3339 with the zone's offset, `2026-12-24T18:00:00+01:00`.
public enum RFC3339 {
    /// The instant in a zone; a fraction of a second only where there is one.
    public static func text(_ instant: Instant, zone: ZoneOffsets) -> String {
        let offset = zone.offset(instant.wholeSeconds)
        let time = zone.civilTime(at: instant)
        let micros = instant.microseconds - instant.wholeSeconds * 1_000_000
        var fraction = ""
        if micros != 0 {
            fraction = "." + pad(Int(micros), 6)
            while fraction.last == "0" { fraction.removeLast() }
        }
        return "\(date(time))T\(clock(time))\(fraction)\(offsetText(offset))"
    }

    /// `2026-12-24`.
    public static func date(_ time: CivilTime) -> String {
        "\(pad(time.year, 4))-\(pad(time.month, 2))-\(pad(time.day, 2))"
    }

    /// `18:00:00`.
    public static func clock(_ time: CivilTime) -> String {
        "\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2))"
    }

    /// `+01:00`; the seconds that offsets had before 1972 are dropped, as RFC 3339 has no place
    /// for them.
    public static func offsetText(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + pad(minutes / 60, 2) + ":" + pad(minutes % 60, 2)
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
