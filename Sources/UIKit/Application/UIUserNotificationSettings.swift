internal import UserNotifications

// Apps asked for permission with these types before iOS 10. Many apps still use these types in the
// `else` of an `if #available`.

/// A way in which an app may notify; the older form.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiusernotificationtype
@available(*, deprecated, message: "Use UNAuthorizationOptions.")
public struct UIUserNotificationType: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes a set.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The number on the app's icon.
    public static let badge = Self(rawValue: 1)
    /// Sounds.
    public static let sound = Self(rawValue: 2)
    /// Popups.
    public static let alert = Self(rawValue: 4)
}

/// The ways in which an app may notify; the older form.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiusernotificationsettings
@available(*, deprecated, message: "Use UNNotificationSettings.")
@preconcurrency @MainActor
open class UIUserNotificationSettings: NSObject {
    /// The ways in which the app may notify.
    public let types: UIUserNotificationType

    /// Makes settings; `categories` is ignored, because Linux has no categories of the older form.
    public init(types: UIUserNotificationType, categories: Set<AnyHashable>?) {
        self.types = types
        super.init()
    }
}

extension UIApplication {
    /// Asks for permission to notify; the older form.
    ///
    /// This method calls `UNUserNotificationCenter.requestAuthorization(options:)`. A failure is
    /// written to standard error.
    @available(*, deprecated, message: "Use UNUserNotificationCenter.requestAuthorization.")
    public func registerUserNotificationSettings(
        _ notificationSettings: UIUserNotificationSettings
    ) {
        // Both option sets have the same bits.
        let options = UNAuthorizationOptions(rawValue: notificationSettings.types.rawValue)
        surroundings.center().requestAuthorization(options: options) { _, error in
            guard let error else { return }
            Self.logMessage("The app could not ask for permission: \(error.localizedDescription)")
        }
    }
}
