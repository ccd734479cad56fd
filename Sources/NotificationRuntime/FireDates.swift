internal import NotificationEngine
public import NotificationModel

/// When a trigger fires next, in the user's zone.
public enum FireDates {
    private static let environment = Configuration.current().environment
    /// Of the process: Apple asks a trigger for its date without naming a center.
    private static let schedule = FireSchedule(zones: SystemZones(environment: environment))

    /// The first date after this instant, or nil where there is none.
    public static func next(of trigger: NotificationTrigger, after instant: Instant) -> Instant? {
        schedule.nextDate(
            of: trigger, after: instant,
            timeZone: schedule.zones.localName(environment: environment))
    }
}
