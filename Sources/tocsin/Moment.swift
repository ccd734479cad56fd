internal import NotificationModel
internal import NotificationSchedule

/// When a notification is shown: what is handed to the daemon, and what it means.
struct Moment {
    /// What the daemon gets; nil for now, as the time is past.
    var trigger: NotificationTrigger?
    /// The first date.
    var first: Occurrence
    /// What comes after it; nil for what happens once.
    var rule: Rule?
    /// The zone in which it is meant.
    var zone: ZoneOffsets

    /// What it means, for people: `every day at 09:00, next Sun 2026-11-22 09:00:00 CET (in 21 h)`.
    func line(now: Instant) -> String {
        guard trigger != nil else {
            return "now; \(RFC3339.text(first.instant, zone: zone)) is past"
        }
        let rule = rule.map { "\($0), next " } ?? ""
        return rule + OccurrenceText(now: now, zone: zone).line(first)
    }

    /// The first dates after an instant.
    func dates(after instant: Instant, limit: Int) -> [Occurrence] {
        if let rule { return rule.dates(after: instant, in: zone, limit: limit) }
        return first.instant > instant ? [first] : []
    }
}
