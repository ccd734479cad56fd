/// Names one notification of one app.
public struct NotificationKey: Hashable, Sendable {
    /// The app.
    public var app: ApplicationID
    /// The request's identifier.
    public var identifier: String

    /// Makes a key.
    public init(app: ApplicationID, identifier: String) {
        self.app = app
        self.identifier = identifier
    }
}
