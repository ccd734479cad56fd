import UserNotifications

/// Chapter 2: asks for permission if the user was never asked, and reports every setting.
enum Permission {
    static func run() async throws {
        let center = UNUserNotificationCenter.current()
        var settings = await center.notificationSettings()
        if settings.authorizationStatus == .notDetermined {
            print("Nobody was asked yet.")
            let granted = try await center.requestAuthorization(options: [.alert, .sound, .badge])
            print("The user was asked: \(granted ? "allowed" : "not allowed")")
            settings = await center.notificationSettings()
        }
        print(report(settings))
        if settings.authorizationStatus == .denied {
            print(
                "Allow notifications in the desktop's settings, or with 'tocsin settings APP "
                    + "--allow'.")
        }
    }

    private static func report(_ settings: UNNotificationSettings) -> String {
        [
            "notifications: \(word(settings.authorizationStatus))",
            "sound: \(word(settings.soundSetting))",
            "badge: \(word(settings.badgeSetting))",
            "lock screen: \(word(settings.lockScreenSetting))",
            "history: \(word(settings.notificationCenterSetting))",
            "banner: \(word(settings.alertSetting))",
            "previews: \(word(settings.showPreviewsSetting))",
        ].joined(separator: "\n")
    }

    private static func word(_ status: UNAuthorizationStatus) -> String {
        switch status {
        case .authorized: "allowed"
        case .denied: "not allowed"
        case .notDetermined: "not decided"
        case .provisional: "quietly"
        case .ephemeral: "for a while"
        @unknown default: "unknown"
        }
    }

    private static func word(_ setting: UNNotificationSetting) -> String {
        switch setting {
        case .enabled: "on"
        case .disabled: "off"
        case .notSupported: "not supported"
        @unknown default: "unknown"
        }
    }

    private static func word(_ setting: UNShowPreviewsSetting) -> String {
        switch setting {
        case .always: "always"
        case .whenAuthenticated: "when unlocked"
        case .never: "never"
        @unknown default: "unknown"
        }
    }
}
