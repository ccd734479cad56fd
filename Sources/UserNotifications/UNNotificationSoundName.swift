/// The name of a sound file of the app, or of a sound of the desktop's sound theme.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Makes a name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
