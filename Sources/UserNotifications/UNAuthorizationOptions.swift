/// What an app asks permission for.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// To set the badge.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// To play sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// To show alerts.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// To show notifications in a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// To play sounds for critical alerts.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// To have a button for the app's own notification settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// To post quietly without asking.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
    /// To have notifications read aloud.
    @available(*, deprecated, message: "Announcement is always included.")
    public static let announcement = UNAuthorizationOptions(rawValue: 128)
    /// To post time-sensitive notifications.
    @available(*, deprecated, message: "Use the interruption level .timeSensitive.")
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}
