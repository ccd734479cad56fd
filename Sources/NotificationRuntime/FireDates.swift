internal import NotificationEngine
public import NotificationModel

/// The next fire date of a trigger, in the user's time zone.
public enum FireDates {
    private static let environment = Configuration.current().environment
    /// One schedule for the process: Apple's API asks a trigger for its date without naming a
    /// center.
    private static let schedule = FireSchedule(zones: SystemZones(environment: environment))

    /// The first date after this instant; nil if no date follows.
    public static func next(of trigger: NotificationTrigger, after instant: Instant) -> Instant? {
        schedule.nextDate(
            of: trigger, after: instant,
            timeZone: schedule.zones.localName(environment: environment))
    }
}
