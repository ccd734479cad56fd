/// A request that waits, as lists show it.
public struct PendingNotification: Hashable, Sendable {
    /// How far a request has come.
    public enum State: String, Hashable, Sendable {
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

    /// Makes a pending notification.
    public init(
        app: ApplicationID, request: NotificationRequest, state: State, nextFire: Instant?
    ) {
        self.app = app
        self.request = request
        self.state = state
        self.nextFire = nextFire
    }
}
