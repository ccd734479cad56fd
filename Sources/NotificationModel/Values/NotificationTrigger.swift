/// The condition that fires a request.
///
/// The cases are indirect, so that copying a request does not copy the components of a date.
public indirect enum NotificationTrigger: Hashable, Sendable {
    /// After this many seconds, suspended time included; again and again if `repeats` is true.
    case interval(seconds: Double, repeats: Bool)
    /// When the wall clock matches these components.
    case calendar(CalendarComponents, repeats: Bool)
    /// At one instant.
    case at(Instant)
    /// On the dates of a rule.
    case rule(NotificationRule)
    /// By a remote notification.
    case push
    /// When the device enters or leaves a region.
    case region(NotificationRegion, repeats: Bool)

    /// Whether the request stays pending after it fired.
    public var repeats: Bool {
        switch self {
        case .interval(_, let repeats), .calendar(_, let repeats), .region(_, let repeats): repeats
        case .rule(let rule): rule.count != 1
        case .at, .push: false
        }
    }

    /// The trigger after the request has fired once: the count of a rule is one less.
    public var afterFiring: NotificationTrigger {
        guard case .rule(var rule) = self, let count = rule.count else { return self }
        rule.count = max(0, count - 1)
        return .rule(rule)
    }
}

/// A rule by which a notification fires repeatedly, as text.
///
/// The schedule parses the text: `every weekday at 09:30`, `calendar Mon *-*-* 09:00:00`, `cron 0 9
/// * * 1`.
public struct NotificationRule: Hashable, Sendable {
    /// The rule in its canonical form.
    public var text: String
    /// The IANA name of the time zone.
    ///
    /// If it is nil and the text names no zone, the rule follows the user's time zone.
    public var timeZone: String?
    /// The last instant at which the rule may fire; nil for no limit.
    public var until: Instant?
    /// How many times the rule may fire from now on; nil for no limit.
    public var count: Int?

    /// Makes a rule.
    public init(
        _ text: String, timeZone: String? = nil, until: Instant? = nil, count: Int? = nil
    ) {
        self.text = text
        self.timeZone = timeZone
        self.until = until
        self.count = count
    }
}

/// A circle on Earth that a device may enter and leave.
public struct NotificationRegion: Hashable, Sendable {
    /// The app's name for the region.
    public var identifier: String
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// The radius in metres.
    public var radius: Double
    /// Whether the request fires when the device enters the region.
    public var onEntry: Bool
    /// Whether the request fires when the device leaves the region.
    public var onExit: Bool

    /// Makes a region.
    public init(
        identifier: String, latitude: Double, longitude: Double, radius: Double,
        onEntry: Bool = true, onExit: Bool = true
    ) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.onEntry = onEntry
        self.onExit = onExit
    }

    /// Whether a circle with these numbers exists on Earth.
    public var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && radius.isFinite
            && radius > 0
    }
}
