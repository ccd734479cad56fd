public import NotificationModel
internal import NotificationSchedule

/// The next date of a rule's text; pure but for the zones' files.
public enum RuleDates {
    /// The first date after an instant, or nil where there is none or the rule cannot be read.
    ///
    /// `timeZone` is the person's zone, used where the rule names none.
    public static func next(
        _ rule: NotificationRule, after instant: Instant, timeZone: String
    ) -> Instant? {
        guard let parsed = try? Rule(rule.text, until: rule.until, count: rule.count) else {
            return nil
        }
        let zone = SystemZones.shared.rulesOrUTC(
            named: parsed.timeZone ?? rule.timeZone ?? timeZone)
        return parsed.next(after: instant, in: ZoneOffsets(zone))?.instant
    }
}
