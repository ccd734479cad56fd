/// What a person did with a notification; kept until the app has acknowledged it.
public struct NotificationResponse: Hashable, Sendable {
    /// What was done.
    public enum Action: Hashable, Sendable {
        /// The notification itself was opened.
        case standard
        /// It was dismissed.
        case dismiss
        /// The button of this identifier was pressed.
        case custom(String)
        /// Text was sent by the action of this identifier.
        case reply(String, text: String)
    }

    /// Names the response until it is acknowledged.
    public var id: Int64
    /// The notification that was answered.
    public var notification: DeliveredNotification
    /// What was done.
    public var action: Action
    /// The token that lets the app raise its window, where the server gave one.
    public var activationToken: String?

    /// Makes a response.
    public init(
        id: Int64, notification: DeliveredNotification, action: Action,
        activationToken: String? = nil
    ) {
        self.id = id
        self.notification = notification
        self.action = action
        self.activationToken = activationToken
    }
}
