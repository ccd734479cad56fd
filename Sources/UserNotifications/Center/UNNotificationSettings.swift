/// The app's notification settings: the user's permissions, and the desktop's support.
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let values: SettingsValues

    init(values: SettingsValues) {
        self.values = values
    }

    /// Whether popups are shown.
    open var alertSetting: UNNotificationSetting { values.alert }
    /// How popups are shown.
    open var alertStyle: UNAlertStyle { values.alertStyle }
    /// Whether notifications are read aloud; not supported on Linux.
    open var announcementSetting: UNNotificationSetting { .notSupported }
    /// Whether the app may post notifications.
    open var authorizationStatus: UNAuthorizationStatus { values.authorizationStatus }
    /// Whether the badge is shown.
    open var badgeSetting: UNNotificationSetting { values.badge }
    /// Whether notifications are shown in a car; not supported on Linux.
    open var carPlaySetting: UNNotificationSetting { .notSupported }
    /// Whether critical notifications break through Do Not Disturb.
    open var criticalAlertSetting: UNNotificationSetting { values.criticalAlert }
    /// Whether direct messages have their own settings; not supported on Linux.
    open var directMessagesSetting: UNNotificationSetting { .notSupported }
    /// Whether the lock screen shows notifications, if this is known.
    open var lockScreenSetting: UNNotificationSetting { values.lockScreen }
    /// Whether the server keeps notifications in a list.
    open var notificationCenterSetting: UNNotificationSetting { values.notificationCenter }
    /// Whether the app has its own notification settings.
    open var providesAppNotificationSettings: Bool { values.providesAppNotificationSettings }
    /// Whether notifications are collected in a summary; not supported on Linux.
    open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
    /// When the texts of notifications are shown.
    open var showPreviewsSetting: UNShowPreviewsSetting { values.showPreviews }
    /// Whether the server or the notification centre plays sounds.
    open var soundSetting: UNNotificationSetting { values.sound }
    /// Whether time-sensitive notifications break through Do Not Disturb.
    open var timeSensitiveSetting: UNNotificationSetting { values.timeSensitive }

    /// Returns this object, because settings never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object has equal settings.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSettings)?.values == values
    }

    /// A hash of the values.
    open override var hash: Int { values.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        // Apple's descriptions begin a case with a capital: Authorized, NotSupported, Banner.
        func name(_ value: Any) -> String {
            let name = "\(value)"
            return name.prefix(1).uppercased() + name.dropFirst()
        }
        let settings: [(String, Any)] = [
            ("authorizationStatus", authorizationStatus),
            ("notificationCenterSetting", notificationCenterSetting),
            ("soundSetting", soundSetting), ("badgeSetting", badgeSetting),
            ("lockScreenSetting", lockScreenSetting), ("carPlaySetting", carPlaySetting),
            ("announcementSetting", announcementSetting),
            ("criticalAlertSetting", criticalAlertSetting),
            ("timeSensitiveSetting", timeSensitiveSetting), ("alertSetting", alertSetting),
            ("scheduledDeliverySetting", scheduledDeliverySetting),
            ("directMessagesSetting", directMessagesSetting),
            ("showsPreviewsSetting", showPreviewsSetting), ("alertStyle", alertStyle),
            ("providesAppNotificationSettings", providesAppNotificationSettings ? "Yes" : "No"),
        ]
        return describe(settings.map { ($0, name($1)) })
    }

    /// Settings can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads settings from an archive: integers under the properties' names.
    public required init?(coder: NSCoder) {
        values = SettingsValues(coder: coder)
    }

    /// Writes the settings into an archive.
    open func encode(with coder: NSCoder) {
        values.encode(with: coder)
    }
}

/// How alerts of an app are shown.
@nonexhaustive(warn)
public enum UNAlertStyle: Int, Sendable {
    /// Alerts are not shown.
    case none = 0
    /// Alerts disappear after a while.
    case banner = 1
    /// Alerts stay until the user responds.
    case alert = 2
}

/// The state of one notification setting.
@nonexhaustive(warn)
public enum UNNotificationSetting: Int, Sendable {
    /// The desktop lacks the setting, or the app did not ask for it.
    case notSupported = 0
    /// The setting is off.
    case disabled = 1
    /// The setting is on.
    case enabled = 2
}

/// When a notification's text is shown.
@nonexhaustive(warn)
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Texts are shown even while the session is locked.
    case always = 0
    /// Texts are shown only while the desktop's screen saver or logind says that the session is
    /// unlocked.
    case whenAuthenticated = 1
    /// Texts are never shown.
    case never = 2
}
