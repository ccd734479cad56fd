internal import NotificationModel

/// The values behind ``UNNotificationSettings``.
struct SettingsValues: Hashable {
    var authorizationStatus = UNAuthorizationStatus.notDetermined
    var alert = UNNotificationSetting.notSupported
    var alertStyle = UNAlertStyle.none
    var badge = UNNotificationSetting.notSupported
    var criticalAlert = UNNotificationSetting.notSupported
    var lockScreen = UNNotificationSetting.notSupported
    var notificationCenter = UNNotificationSetting.notSupported
    var providesAppNotificationSettings = false
    var showPreviews = UNShowPreviewsSetting.always
    var sound = UNNotificationSetting.notSupported
    var timeSensitive = UNNotificationSetting.notSupported
}

extension SettingsValues {
    /// Makes the settings of this app on this desktop.
    ///
    /// Before the user has decided, every setting is `.notSupported`, as on Apple's platforms. If
    /// the app may only notify quietly, its notifications are listed without a banner or a sound.
    /// While the server reports Do Not Disturb, banners and sounds are off. The desktop's own
    /// settings for this app can also turn a setting off.
    init(_ settings: ApplicationSettings) {
        let permission = settings.permission ?? Permission(.authorized, options: .all)
        let presenter = settings.presenter
        authorizationStatus = .init(rawValue: permission.status.rawValue) ?? .notDetermined
        providesAppNotificationSettings = permission.options.contains(
            .providesAppNotificationSettings)
        guard permission.status != .notDetermined else { return }
        let isLoud = permission.status == .authorized && presenter.isInhibited != true
        func setting(_ isThere: Bool, on isOn: Bool) -> UNNotificationSetting {
            isThere ? isOn && presenter.isAvailable ? .enabled : .disabled : .notSupported
        }
        func can(_ capability: String) -> Bool { presenter.capabilities.contains(capability) }
        let wanted = permission.options
        let desktop = settings.desktop
        func mayHave(_ part: Bool??) -> Bool { part.flatMap(\.self) ?? true }
        alert = setting(wanted.contains(.alert), on: isLoud && mayHave(desktop?.showsBanners))
        alertStyle = alert == .enabled ? .banner : .none
        sound = setting(
            wanted.contains(.sound) && (can("sound") || settings.playsSounds),
            on: isLoud && mayHave(desktop?.playsSounds))
        badge = setting(
            wanted.contains(.badge) && settings.showsBadge,
            on: permission.allows && mayHave(desktop?.showsBadges))
        notificationCenter = setting(
            can("persistence"), on: permission.allows && mayHave(desktop?.isListed))
        if let isOnLockScreen = desktop?.isOnLockScreen {
            lockScreen = setting(true, on: permission.allows && isOnLockScreen)
        }
        showPreviews = .init(rawValue: settings.previews.rawValue) ?? .whenAuthenticated
        // Every server knows the urgency "critical". A critical notification passes Do Not Disturb,
        // unless the desktop's own setting forbids it.
        let breaksThrough =
            permission.status == .authorized && mayHave(desktop?.showsCriticalInSilence)
        // Apple's platforms support the setting only for an app with an entitlement. Linux has no
        // entitlements, so here the app must have asked for critical alerts.
        criticalAlert = setting(wanted.contains(.criticalAlert), on: breaksThrough)
        // A time-sensitive notification becomes critical while the server reports Do Not Disturb,
        // so the server must be able to report Do Not Disturb.
        timeSensitive = setting(
            wanted.contains(.alert) && presenter.isInhibited != nil, on: breaksThrough)
    }
}

// Codes only integers and a Boolean, because tests of apps make settings with coders that implement
// only `decodeInt64` and `decodeBool`.
extension SettingsValues {
    init(coder: NSCoder) {
        func read<Value: RawRepresentable<Int>>(_ key: String, into value: inout Value) {
            value = Value(rawValue: Int(coder.decodeInt64(forKey: key))) ?? value
        }
        read("authorizationStatus", into: &authorizationStatus)
        read("alertSetting", into: &alert)
        read("alertStyle", into: &alertStyle)
        read("badgeSetting", into: &badge)
        read("criticalAlertSetting", into: &criticalAlert)
        read("lockScreenSetting", into: &lockScreen)
        read("notificationCenterSetting", into: &notificationCenter)
        read("showPreviewsSetting", into: &showPreviews)
        read("soundSetting", into: &sound)
        read("timeSensitiveSetting", into: &timeSensitive)
        providesAppNotificationSettings = coder.decodeBool(
            forKey: "providesAppNotificationSettings")
    }

    func encode(with coder: NSCoder) {
        let integers: [(String, Int)] = [
            ("authorizationStatus", authorizationStatus.rawValue),
            ("alertSetting", alert.rawValue), ("alertStyle", alertStyle.rawValue),
            ("badgeSetting", badge.rawValue), ("criticalAlertSetting", criticalAlert.rawValue),
            ("lockScreenSetting", lockScreen.rawValue),
            ("notificationCenterSetting", notificationCenter.rawValue),
            ("showPreviewsSetting", showPreviews.rawValue), ("soundSetting", sound.rawValue),
            ("timeSensitiveSetting", timeSensitive.rawValue),
        ]
        for (key, value) in integers {
            coder.encode(Int64(value), forKey: key)
        }
        coder.encode(
            providesAppNotificationSettings, forKey: "providesAppNotificationSettings")
    }
}
