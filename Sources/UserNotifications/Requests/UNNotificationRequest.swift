internal import NotificationModel

/// A notification to show, now or when its trigger fires.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The identifier; a new request replaces the app's pending request of the same identifier.
    open var identifier: String { storedIdentifier }
    /// The content to show: a copy of the content that the initialiser got.
    open var content: UNNotificationContent { storedContent }
    /// The trigger; nil to show the notification now.
    open var trigger: UNNotificationTrigger? { storedTrigger }

    private let storedIdentifier: String
    private let storedContent: UNNotificationContent
    private let storedTrigger: UNNotificationTrigger?
    /// Set by initialisers only.
    var lateness = LateRule()

    /// Makes a request; the content and the trigger are copied.
    public init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
    ) {
        storedIdentifier = identifier
        storedContent = content.copy() as? UNNotificationContent ?? content
        storedTrigger = trigger?.copy() as? UNNotificationTrigger ?? trigger
    }

    /// Returns this request, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a request with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationRequest else { return false }
        return other.identifier == identifier && other.content == content
            && other.trigger == trigger && other.lateness == lateness
    }

    /// A hash of the identifier.
    open override var hash: Int { identifier.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe(
            [("identifier", identifier), ("content", content), ("trigger", trigger)]
                + lateness.fields)
    }

    /// A request can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a request from an archive.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.string("identifier"),
            let content = coder.object(UNNotificationContent.self, "content")
        else { return nil }
        storedIdentifier = identifier
        storedContent = content
        storedTrigger = coder.object(UNNotificationTrigger.self, "trigger")
        lateness = LateRule(coder: coder)
    }

    /// Writes the request into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(content, forKey: "content")
        coder.encode(trigger, forKey: "trigger")
        lateness.encode(with: coder)
    }
}
