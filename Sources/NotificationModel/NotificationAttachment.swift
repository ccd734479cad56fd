/// A file that is shown with a notification.
public struct NotificationAttachment: Hashable, Sendable {
    /// Unique within its notification.
    public var identifier: String
    /// The absolute path: of the app's file before `add`, of our stored copy afterwards.
    public var path: String
    /// The uniform type identifier, `public.png`.
    public var type: String
    /// Apple's attachment options by key (thumbnail rectangle, time, hidden).
    public var options: [String: PropertyListValue]

    /// Makes an attachment.
    public init(
        identifier: String, path: String, type: String,
        options: [String: PropertyListValue] = [:]
    ) {
        self.identifier = identifier
        self.path = path
        self.type = type
        self.options = options
    }
}
