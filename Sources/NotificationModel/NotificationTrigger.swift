/// What makes a request fire.
public enum NotificationTrigger: Hashable, Sendable {
    /// After this many seconds, suspended time included, and again each time if it repeats.
    case interval(seconds: Double, repeats: Bool)
    /// When the wall clock matches these components.
    case calendar(CalendarComponents, repeats: Bool)
    /// At one instant.
    case at(Instant)
    /// On the dates of a rule.
    case rule(NotificationRule)
    /// By a remote notification.
    case push
    /// When the device enters or leaves a region; nothing watches regions yet.
    case region(NotificationRegion, repeats: Bool)

    /// Whether the request stays pending after it fired.
    public var repeats: Bool {
        switch self {
        case .interval(_, let repeats), .calendar(_, let repeats), .region(_, let repeats): repeats
        case .rule(let rule): rule.count != 1
        case .at, .push: false
        }
    }

    /// What is left of the trigger when it has fired once: a rule has one time less to go.
    public var afterFiring: NotificationTrigger {
        guard case .rule(var rule) = self, let count = rule.count else { return self }
        rule.count = max(0, count - 1)
        return .rule(rule)
    }
}
