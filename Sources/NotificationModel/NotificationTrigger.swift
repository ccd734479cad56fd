/// What makes a request fire.
public enum NotificationTrigger: Hashable, Sendable, Codable {
    /// After this many seconds, suspended time included, and again each time if it repeats.
    case interval(seconds: Double, repeats: Bool)
    /// When the wall clock matches these components.
    case calendar(CalendarComponents, repeats: Bool)
    /// At one instant.
    case at(Instant)
    /// By a remote notification.
    case push
    /// When the device enters or leaves a region; nothing watches regions yet.
    case region(NotificationRegion, repeats: Bool)

    /// Whether the request stays pending after it fired.
    public var repeats: Bool {
        switch self {
        case .interval(_, let repeats), .calendar(_, let repeats), .region(_, let repeats): repeats
        case .at, .push: false
        }
    }
}
