internal import NotificationModel

// A desktop is switched off and sleeps; what it misses meanwhile may matter later, or not.
extension UNNotificationRequest {
    /// What becomes of a date that was missed.
    public enum CatchUp: String, Hashable, Sendable, CaseIterable {
        /// It is shown late, once; several missed dates of the request merge into one.
        case once
        /// It is not shown, unless it is at most a minute late; a request that repeats goes on with
        /// its next date.
        case skip
    }

    /// Makes a request that says what becomes of a date that was missed: because the machine was
    /// off or asleep, or because there was no notification server.
    ///
    ///     UNNotificationRequest(
    ///         identifier: "bus", content: content, trigger: trigger, catchUp: .once,
    ///         grace: 5 * 60)
    ///
    /// `grace` is how many seconds late it may still be shown; nil for any time. What is later is
    /// not shown: a request that repeats goes on with its next date, one that fires once ends.
    public convenience init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?,
        catchUp: CatchUp, grace: TimeInterval? = nil
    ) {
        self.init(identifier: identifier, content: content, trigger: trigger)
        lateness = LateRule(catchUp: catchUp, grace: grace)
    }

    /// What becomes of a date that was missed.
    public var catchUp: CatchUp { lateness.catchUp }

    /// How many seconds late it may still be shown; nil for any time.
    public var grace: TimeInterval? { lateness.grace }
}
