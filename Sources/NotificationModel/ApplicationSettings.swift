/// What is known of how an app may notify, and of the server that would show it.
public struct ApplicationSettings: Hashable, Sendable {
    /// Whether the app may notify; nil for one that needs no permission.
    public var permission: Permission?
    /// The notification server.
    public var presenter: PresenterStatus
    /// Whether something on the desktop draws the badge of this app.
    public var showsBadge: Bool
    /// What the desktop's own settings let the app do; nil where it has none for it.
    public var desktop: AppSwitch?
    /// When the texts of the app's notifications are shown.
    public var previews = ShowPreviews.whenAuthenticated

    /// Makes settings.
    public init(
        permission: Permission?, presenter: PresenterStatus, showsBadge: Bool = false,
        desktop: AppSwitch? = nil
    ) {
        self.permission = permission
        self.presenter = presenter
        self.showsBadge = showsBadge
        self.desktop = desktop
    }
}
