/// A request that waits, as lists show it.
public struct PendingNotification: Hashable, Sendable {
    /// How far a request has come.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Waits for its time, or for a server.
        case pending
        /// Is on its way to the server.
        case presenting
    }

    /// The app that asked.
    public var app: ApplicationID
    /// What it asked.
    public var request: NotificationRequest
    /// How far it has come.
    public var state: State
    /// When it fires next.
    public var nextFire: Instant?
    /// Which of those of the same moment fires first: the one with the lower number, which was
    /// stored earlier.
    public var serial: Int64

    /// Makes a pending notification.
    public init(
        app: ApplicationID, request: NotificationRequest, state: State, nextFire: Instant?,
        serial: Int64 = 0
    ) {
        self.app = app
        self.request = request
        self.state = state
        self.nextFire = nextFire
        self.serial = serial
    }

    /// The app and the identifier.
    public var key: NotificationKey {
        NotificationKey(app: app, identifier: request.identifier)
    }

    /// Whether the left one fires first; what waits for no date comes last.
    public static func firesEarlier(
        _ left: PendingNotification, _ right: PendingNotification
    ) -> Bool {
        let never = Instant(microseconds: .max)
        return (left.nextFire ?? never, left.serial) < (right.nextFire ?? never, right.serial)
    }
}
