/// How a notification is shown while its app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Sets the badge.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// Plays the sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// Shows the banner and keeps the notification in the list.
    @available(*, deprecated, message: "Use .list and .banner.")
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// Keeps the notification in the list.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// Shows the banner.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
