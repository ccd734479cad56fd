/// An app that the notification centre knows, together with its permission, as lists show it.
public struct ApplicationPermission: Hashable, Sendable {
    /// The app.
    public var app: ApplicationID
    /// Its name for people; empty where it never connected.
    public var name: String
    /// Whether it may notify; nil where it never asked and nobody decided, so that it may.
    public var permission: Permission?
    /// When the texts of its notifications are shown.
    public var previews: ShowPreviews

    /// Makes an entry.
    public init(
        app: ApplicationID, name: String = "", permission: Permission?,
        previews: ShowPreviews = .whenAuthenticated
    ) {
        self.app = app
        self.name = name
        self.permission = permission
        self.previews = previews
    }
}
