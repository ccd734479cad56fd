internal import NotificationModel

/// The values behind settings.
struct SettingsValues: Hashable {
    var authorizationStatus = UNAuthorizationStatus.authorized
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
    /// What is true of this server: a capability that it does not announce is not supported.
    init(_ presenter: PresenterStatus) {
        guard presenter.isAvailable else {
            alert = .disabled
            return
        }
        func setting(_ capability: String) -> UNNotificationSetting {
            presenter.capabilities.contains(capability) ? .enabled : .notSupported
        }
        alert = .enabled
        alertStyle = .banner
        sound = setting("sound")
        notificationCenter = setting("persistence")
        // The urgency "critical" is part of the specification that every server follows.
        criticalAlert = .enabled
    }
}

// Integers, not objects: tests of apps make settings with a coder that answers `decodeInt64`.
extension SettingsValues {
    init(coder: NSCoder) {
        func setting(_ key: String) -> UNNotificationSetting {
            .init(rawValue: Int(coder.decodeInt64(forKey: key))) ?? .notSupported
        }
        authorizationStatus =
            .init(rawValue: Int(coder.decodeInt64(forKey: "authorizationStatus")))
            ?? .notDetermined
        alert = setting("alertSetting")
        alertStyle = .init(rawValue: Int(coder.decodeInt64(forKey: "alertStyle"))) ?? .none
        badge = setting("badgeSetting")
        criticalAlert = setting("criticalAlertSetting")
        lockScreen = setting("lockScreenSetting")
        notificationCenter = setting("notificationCenterSetting")
        providesAppNotificationSettings = coder.decodeBool(
            forKey: "providesAppNotificationSettings")
        showPreviews =
            .init(rawValue: Int(coder.decodeInt64(forKey: "showPreviewsSetting"))) ?? .always
        sound = setting("soundSetting")
        timeSensitive = setting("timeSensitiveSetting")
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
