/// What an app wants to hear of, and what hidden previews show.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The app hears of a dismissal.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// Notifications may be shown in a car; kept for the app.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// The title stays visible when previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// The subtitle stays visible when previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
    /// Notifications may be read aloud; ignored, as on Apple's platforms.
    @available(*, deprecated, message: "Announcement is always allowed.")
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
