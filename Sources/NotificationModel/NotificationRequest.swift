/// A notification that is to be shown, now or when its trigger fires.
public struct NotificationRequest: Hashable, Sendable, Codable {
    /// Unique within the app: a request replaces the pending one of the same identifier.
    public var identifier: String
    /// What to show.
    public var content: NotificationContent
    /// When; nil for now.
    public var trigger: NotificationTrigger?

    /// Makes a request.
    public init(
        identifier: String, content: NotificationContent, trigger: NotificationTrigger? = nil
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
