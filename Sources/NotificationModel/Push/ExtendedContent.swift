/// What a service extension made of a pushed notification.
public struct ExtendedContent: Sendable {
    /// The content to show in place of the original.
    public var content: NotificationContent
    /// The files of its attachments, one each, in the same order.
    public var attachments: [OpenFile]

    /// Makes a value.
    public init(content: NotificationContent, attachments: [OpenFile] = []) {
        self.content = content
        self.attachments = attachments
    }
}

/// Names one notification that a service extension works on.
public struct ExtensionToken: RawRepresentable, Hashable, Sendable {
    /// The number of the work.
    public let rawValue: UInt64

    /// Makes a token of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
