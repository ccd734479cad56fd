internal import NotificationModel

extension UNUserNotificationCenter {
    /// Asks the user for permission to notify, unless the user has decided.
    ///
    /// On Linux a popup asks, with the app's `NSUserNotificationsUsageDescription` as its text. If
    /// the notification server draws no buttons, a dialog asks instead. The centre stores the
    /// decision, and does not ask again.
    ///
    /// - If the user does not answer within a minute, the handler gets false without an error, and
    ///   the next call asks again.
    /// - If neither a popup nor a dialog can ask, the handler gets false and an error that says
    ///   what is missing.
    /// - With `.provisional` the user is not asked, and notifications are delivered quietly.
    @preconcurrency
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(stores: false, Self.authorization(options)) { isGranted, error in
            completionHandler(isGranted ?? false, error)
        }
    }

    /// Asks the user for permission to notify, unless the user has decided.
    ///
    /// - Returns: The decision that ``requestAuthorization(options:completionHandler:)`` gives its
    ///   handler.
    /// - Throws: The error that the handler of that method gets.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await call(stores: false, Self.authorization(options))
    }

    private static func authorization(_ options: UNAuthorizationOptions) -> Work<Bool> {
        { connected throws(NotificationError) in
            try await connected.service.requestAuthorization(
                .init(rawValue: options.rawValue), for: connected.application)
        }
    }

    /// Gives the handler the user's permissions and the notification server's support.
    ///
    /// A setting is `.notSupported` if the app did not ask for it or the desktop lacks it. It is
    /// `.disabled` if the user or Do Not Disturb turns it off.
    @preconcurrency
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        get(Self.settings, completion: completionHandler)
    }

    /// Returns the user's permissions and the notification server's support.
    public func notificationSettings() async -> UNNotificationSettings {
        await get(Self.settings)
    }

    private static var settings: Read<UNNotificationSettings> {
        Read(
            purpose: "Reading the settings", empty: UNNotificationSettings(values: SettingsValues())
        ) { connected throws(NotificationError) in
            let settings = try await connected.service.settings(of: connected.application)
            return UNNotificationSettings(values: SettingsValues(settings))
        }
    }
}

/// The options that an app asks permission for.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options from Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// To set the badge.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// To play sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// To show alerts.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// To show notifications in a car; without effect on Linux.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// To play sounds for critical alerts; on Linux this needs no entitlement.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// To show a button for the app's own notification settings.
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

/// Whether an app may schedule and receive notifications.
@nonexhaustive(warn)
public enum UNAuthorizationStatus: Int, Sendable {
    /// The user has not been asked yet.
    case notDetermined = 0
    /// The app may not notify.
    case denied = 1
    /// The app may notify.
    case authorized = 2
    /// The app may notify quietly, until the user decides.
    case provisional = 3
    /// The app may notify for a limited time.
    case ephemeral = 4
}
