internal import NotificationModel
internal import NotificationSchedule

/// When a notification is shown: what is handed to the daemon, and what it means.
struct Moment {
    /// What the daemon gets.
    var trigger: NotificationTrigger
    /// The first date.
    var first: Occurrence
    /// What comes after it; nil for what happens once.
    var rule: Rule?
    /// The zone in which it is meant.
    var zone: ZoneOffsets

    /// The first dates after an instant.
    func dates(after instant: Instant, limit: Int) -> [Occurrence] {
        if let rule { return rule.dates(after: instant, in: zone, limit: limit) }
        return first.instant > instant ? [first] : []
    }
}
