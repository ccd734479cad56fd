/// The headers of a remote notification, which APNs takes beside its payload.
///
/// Source: developer.apple.com, "Sending notification requests to APNs".
public struct PushHeaders: Hashable, Sendable {
    /// How much the notification may disturb; `apns-priority`.
    public enum Priority: Int64, Sendable {
        /// It must not wake the device: as passive, where the payload asks for no more than active.
        case low = 1
        /// As power allows: at once, on a machine that runs.
        case normal = 5
        /// At once.
        case high = 10
    }

    /// How late a notification may be that is to be shown at once or never, in seconds.
    private static let immediacy: Double = 1

    /// The identifier of the request, so that a later push of the same one replaces it;
    /// `apns-collapse-id`.
    public var collapseIdentifier: String?
    /// How much it may disturb.
    public var priority = Priority.high
    /// Until when it is tried, and from then on at once or never; nil for any time.
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

    /// Reads a priority: 1, 5 or 10, or fails with `invalidArgument`.
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

    /// Fails where a collapse identifier cannot be used.
    public func check() throws(NotificationError) {
        guard let length = collapseIdentifier?.utf8.count else { return }
        try Limits.collapseIdentifier.check(length, of: "the push")
    }

    /// The level of a notification that asks for this one.
    public func level(_ level: InterruptionLevel) -> InterruptionLevel {
        priority == .low && level == .active ? .passive : level
    }

    /// How late it may be shown that came at this moment, in seconds; nil for any time.
    public func grace(now: Instant) -> Double? {
        // As numbers that cannot overflow: whoever pushes chooses the moment.
        expiration.map {
            let seconds = (Double($0.microseconds) - Double(now.microseconds)) / 1e6
            return min(max(seconds, Self.immediacy), Double(Limits.grace.most))
        }
    }
}
