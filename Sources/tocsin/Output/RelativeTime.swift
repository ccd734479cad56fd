internal import NotificationModel
internal import NotificationSchedule

/// Times for people: how far away, and when in the user's zone.
struct RelativeTime {
    var now: Instant
    var zone: ZoneRules

    /// `in 9 min`, `2 h ago`, `now`.
    func distance(_ instant: Instant) -> String {
        let seconds = Double(instant.microseconds(since: now)) / 1_000_000
        let length = Self.length(abs(seconds))
        if abs(seconds) < 1 { return "now" }
        return seconds > 0 ? "in \(length)" : "\(length) ago"
    }

    /// `Mon 2026-11-23 09:00:00 CET`.
    func absolute(_ instant: Instant) -> String {
        let time = zone.civilTime(at: instant)
        let zoneName = zone.localTime(at: instant.wholeSeconds).abbreviation
        return
            "\(Self.days[time.weekday - 1]) \(time.dateText) \(time.clockText) \(zoneName)"
    }

    /// `Mon 2026-11-23 09:00:00 CET (in 21 h)`.
    func full(_ instant: Instant) -> String { "\(absolute(instant)) (\(distance(instant)))" }

    /// `Mon 23 November`.
    func day(_ time: CivilTime, showsYear: Bool) -> String {
        let year = showsYear ? " \(time.year)" : ""
        return "\(Self.days[time.weekday - 1]) \(time.day) \(Self.months[time.month - 1])\(year)"
    }

    static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The largest unit, and the next one below it where it adds something.
    static func length(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3_600: return join(whole / 60, "min", whole % 60, "s", isShown: whole < 600)
        case ..<86_400: return join(whole / 3_600, "h", whole % 3_600 / 60, "min", isShown: true)
        default: return join(whole / 86_400, "d", whole % 86_400 / 3_600, "h", isShown: true)
        }
    }

    private static func join(
        _ large: Int, _ unit: String, _ small: Int, _ smallUnit: String, isShown: Bool
    ) -> String {
        isShown && small > 0 ? "\(large) \(unit) \(small) \(smallUnit)" : "\(large) \(unit)"
    }
}

/// Dates of rules as `next` and `schedule` print them.
extension RelativeTime {
    /// `Sun 2027-03-28 03:00:00 CEST (in 126 d); 02:30:00 does not exist on …`.
    func line(_ occurrence: Occurrence) -> String {
        full(occurrence.instant) + (occurrence.shift.map { "; \($0.note)" } ?? "")
    }

    /// The same date for programs.
    func object(_ occurrence: Occurrence) -> RecordValue {
        .record([
            .init("fire", zone.rfc3339(occurrence.instant)),
            .init("note", occurrence.shift?.note),
        ])
    }
}

extension RelativeTime {
    /// Times as the user reads them when a command runs.
    init(_ environment: ToolEnvironment) {
        self.init(now: environment.now, zone: environment.zone)
    }
}
