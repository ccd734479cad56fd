/// The headers of a remote notification, which APNs accepts beside its payload.
///
/// Source: developer.apple.com, "Sending notification requests to APNs".
public struct PushHeaders: Hashable, Sendable {
    /// How much the notification may disturb; `apns-priority`.
    public enum Priority: Int64, Sendable {
        /// It must not wake the device: it is passive, unless the payload asks for more than
        /// active.
        case low = 1
        /// As power allows: at once, on a machine that runs.
        case normal = 5
        /// At once.
        case high = 10
    }

    /// The grace of a notification that is shown at once or never, in seconds.
    private static let immediacy: Double = 1

    /// The identifier of the request, which a later push with the same identifier replaces.
    ///
    /// `apns-collapse-id`.
    public var collapseIdentifier: String?
    /// How much it may disturb.
    public var priority = Priority.high
    /// The end of the attempts to show it; nil for no end.
    ///
    /// A push that arrives after this date is shown at once or never.
    ///
    /// `apns-expiration`.
    public var expiration: Instant?

    /// Makes the headers.
    public init(
        collapseIdentifier: String? = nil, priority: Priority = .high, expiration: Instant? = nil
    ) {
        self.collapseIdentifier = collapseIdentifier
        self.priority = priority
        self.expiration = expiration
    }

    /// Reads a priority: 1, 5 or 10; nil stands for 10.
    ///
    /// - Throws: `invalidArgument` for any other number.
    public static func priority(_ number: Int64?) throws(NotificationError) -> Priority {
        guard let number else { return .high }
        guard let priority = Priority(rawValue: number) else {
            throw NotificationError(
                .invalidArgument,
                "The priority is \(number). It is 10 for at once, 5 as power allows, or 1 without "
                    + "waking the device.")
        }
        return priority
    }

    /// Checks the collapse identifier.
    ///
    /// - Throws: `invalidArgument` if it is empty or too long.
    public func check() throws(NotificationError) {
        guard let length = collapseIdentifier?.utf8.count else { return }
        try Limits.collapseIdentifier.check(length, of: "the push")
    }

    /// The interruption level of a notification whose payload asks for this level.
    public func level(_ level: InterruptionLevel) -> InterruptionLevel {
        priority == .low && level == .active ? .passive : level
    }

    /// Seconds from now until `apns-expiration`, at least 1; nil if it never expires.
    public func grace(now: Instant) -> Double? {
        // Compute with floating point, which cannot overflow: the sender chooses the date.
        expiration.map {
            let seconds = (Double($0.microseconds) - Double(now.microseconds)) / 1e6
            return min(max(seconds, Self.immediacy), Double(Limits.grace.most))
        }
    }
}
