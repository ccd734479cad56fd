/// A text that is looked up in the app's localisation when its notification is delivered.
///
/// The counterpart of Apple's `localizedUserNotificationString` and of the `loc-key` of a push.
public struct LocalizedText: Hashable, Sendable {
    /// The key in the app's `Localizable.strings`.
    public var key: String
    /// What takes the places of `%@` and `%1$@`.
    public var arguments: [String]

    /// Makes a text.
    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}

/// Which texts of a notification are looked up; a text that is not found stays as it is.
public struct ContentLocalization: Hashable, Sendable {
    /// The title.
    public var title: LocalizedText?
    /// The second line.
    public var subtitle: LocalizedText?
    /// The text.
    public var body: LocalizedText?

    /// Makes a value that looks up nothing.
    public init(
        title: LocalizedText? = nil, subtitle: LocalizedText? = nil, body: LocalizedText? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Whether there is nothing to look up.
    public var isEmpty: Bool { title == nil && subtitle == nil && body == nil }
}
