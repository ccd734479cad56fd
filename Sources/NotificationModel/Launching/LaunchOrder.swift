/// An app that is to be started because a person answered one of its notifications.
public struct LaunchOrder: Hashable, Sendable {
    /// The response that waits for the app.
    public var response: NotificationResponse
    /// How it is started.
    public var mode: LaunchMode
    /// The program to start where the app has no desktop file; nil where none is known.
    public var command: LaunchCommand?

    /// The app.
    public var app: ApplicationID { response.notification.app }

    /// Makes an order.
    public init(
        response: NotificationResponse, mode: LaunchMode, command: LaunchCommand? = nil
    ) {
        self.response = response
        self.mode = mode
        self.command = command
    }
}
