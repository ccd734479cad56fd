/// The headers that APNs accepts beside the payload of a remote notification.
///
/// Source: developer.apple.com, "Sending notification requests to APNs".
public struct PushHeaders: Hashable, Sendable {
    /// How much the notification may disturb, from the header `apns-priority`.
    public enum Priority: Int64, Sendable {
        /// The notification must not wake the device.
        ///
        /// An active notification becomes passive; any other level stays.
        case low = 1
        /// The notification comes when power allows; a running machine shows it at once.
        case normal = 5
        /// The notification comes at once.
        case high = 10
    }

    /// The shortest grace (maximum lateness) of a push, in seconds; an expired push gets it.
    private static let immediacy: Double = 1

    /// The identifier of the request, which a later push with the same identifier replaces.
    ///
    /// The header is `apns-collapse-id`.
    public var collapseIdentifier: String?
    /// How much the notification may disturb.
    public var priority = Priority.high
    /// The end of the attempts to show the notification; nil for no end.
    ///
    /// A push that arrives after this date is shown within one second or never.
    ///
    /// The header is `apns-expiration`.
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
        guard let priority = Priority(rawValue: number) else { throw unknownPriority("\(number)") }
        return priority
    }

    static func unknownPriority(_ number: String) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The priority is \(number). Use 10 or 5 to show the notification at once, or 1 to "
                + "show it without popup and sound.")
    }

    /// A copy in which each header with a default value is replaced by the header of `other`.
    public func completed(by other: PushHeaders) -> PushHeaders {
        PushHeaders(
            collapseIdentifier: collapseIdentifier ?? other.collapseIdentifier,
            priority: priority == .high ? other.priority : priority,
            expiration: expiration ?? other.expiration)
    }

    /// Checks the collapse identifier.
    ///
    /// - Throws: `invalidArgument` if the identifier is empty or too long.
    public func check() throws(NotificationError) {
        guard let length = collapseIdentifier?.utf8.count else { return }
        try Limits.collapseIdentifier.check(length, of: "the push")
    }

    /// The interruption level of a notification with this priority.
    ///
    /// `level` is the level in the payload. A low priority makes an active notification passive.
    public func level(_ level: InterruptionLevel) -> InterruptionLevel {
        priority == .low && level == .active ? .passive : level
    }

    /// The seconds that are left until `apns-expiration`; nil if the notification never expires.
    ///
    /// The value is at least `immediacy` and at most `Limits.grace.most`.
    public func grace(now: Instant) -> Double? {
        // The sender chooses the date, so compute with floating point, which cannot overflow.
        expiration.map {
            let seconds = (Double($0.microseconds) - Double(now.microseconds)) / 1e6
            return min(max(seconds, Self.immediacy), Double(Limits.grace.most))
        }
    }
}
