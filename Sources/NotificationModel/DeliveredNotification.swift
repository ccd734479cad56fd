/// A notification that reached the server and was not yet answered, dismissed or removed.
public struct DeliveredNotification: Hashable, Sendable {
    /// The app it belongs to.
    public var app: ApplicationID
    /// The request that fired.
    public var request: NotificationRequest
    /// When it was delivered.
    public var date: Instant

    /// Makes a delivered notification.
    public init(app: ApplicationID, request: NotificationRequest, date: Instant) {
        self.app = app
        self.request = request
        self.date = date
    }

    /// The app and identifier.
    public var key: NotificationKey {
        NotificationKey(app: app, identifier: request.identifier)
    }
}
