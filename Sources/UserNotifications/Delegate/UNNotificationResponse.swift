internal import NotificationModel

/// The user's response to a notification.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The notification that the user responded to.
    open var notification: UNNotification { storedNotification }
    /// The identifier of the pressed action, or one of the two system identifiers.
    open var actionIdentifier: String { storedIdentifier }

    private let storedNotification: UNNotification
    private let storedIdentifier: String
    let storedToken: String?
    let storedText: String

    init(
        notification: UNNotification, actionIdentifier: String, activationToken: String? = nil,
        text: String = ""
    ) {
        storedNotification = notification
        storedIdentifier = actionIdentifier
        storedToken = activationToken
        storedText = text
    }

    /// Returns this response, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a response with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationResponse else { return false }
        return type(of: other) == type(of: self) && other.actionIdentifier == actionIdentifier
            && other.notification == notification && other.storedText == storedText
            && other.storedToken == storedToken
    }

    /// A hash of the action and the notification.
    open override var hash: Int { actionIdentifier.hashValue ^ notification.hash }

    /// The class, the address and the values.
    open override var description: String {
        describe([("actionIdentifier", actionIdentifier), ("notification", notification)])
    }

    /// A response can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a response from an archive.
    ///
    /// The keys are `notification`, `actionIdentifier`, `activationToken` and `userText`. The
    /// `userText` of a response without text is empty.
    public required init?(coder: NSCoder) {
        guard let notification = coder.object(UNNotification.self, "notification"),
            let identifier = coder.string("actionIdentifier")
        else { return nil }
        storedNotification = notification
        storedIdentifier = identifier
        storedToken = coder.string("activationToken")
        storedText = coder.string("userText") ?? ""
    }

    /// Writes the response into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(notification, forKey: "notification")
        coder.encode(actionIdentifier as NSString, forKey: "actionIdentifier")
        coder.encode(storedToken as NSString?, forKey: "activationToken")
        coder.encode(storedText as NSString, forKey: "userText")
    }
}

/// A response to a button that asks for text.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text that the user wrote; empty if neither the server nor a dialog could ask for it.
    open var userText: String { storedText }

    /// The class, the address and the values.
    open override var description: String {
        describe([
            ("actionIdentifier", actionIdentifier), ("userText", userText),
            ("notification", notification),
        ])
    }
}

/// The action identifier of a response that opened the notification itself.
public let UNNotificationDefaultActionIdentifier =
    "com.apple.UNNotificationDefaultActionIdentifier"

/// The action identifier of a response that dismissed the notification.
public let UNNotificationDismissActionIdentifier =
    "com.apple.UNNotificationDismissActionIdentifier"
