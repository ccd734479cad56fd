/// The user's response to a notification.
///
/// The store keeps the response until the app acknowledges it.
public struct NotificationResponse: Hashable, Sendable {
    /// The user's action.
    public enum Action: Hashable, Sendable {
        /// The user opened the notification itself.
        case standard
        /// The user dismissed the notification.
        case dismiss
        /// The user pressed the button with this identifier.
        case custom(String)
        /// The user pressed the button with this identifier; the button asks for a text.
        ///
        /// The text is nil if neither the server nor a dialog could ask for a text.
        case reply(String, text: String?)

        /// Stands for the identifier of a button on a popup that an earlier run posted.
        ///
        /// The server reports only the text, so the presenter cannot know the button.
        package static let unknownButton = "inline-reply"
    }

    /// The number that names the response until the app acknowledges it.
    public var id: Int64
    /// The notification that the user responded to.
    public var notification: DeliveredNotification
    /// The user's action.
    public var action: Action
    /// The token that lets the app raise its window; nil if the server gave none.
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

/// The forms in which a notification is shown; raw values are Apple's.
///
/// A running app chooses the forms if the notification centre asks it.
public struct PresentationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Sets the badge.
    public static let badge = PresentationOptions(rawValue: 1)
    /// Plays the sound.
    public static let sound = PresentationOptions(rawValue: 2)
    /// Apple's old name for list and banner together.
    public static let alert = PresentationOptions(rawValue: 4)
    /// Keeps the notification in the list.
    public static let list = PresentationOptions(rawValue: 8)
    /// Shows the popup.
    public static let banner = PresentationOptions(rawValue: 16)
    /// All forms, for an app that is not asked.
    public static let all: PresentationOptions = [.badge, .sound, .list, .banner]
}
