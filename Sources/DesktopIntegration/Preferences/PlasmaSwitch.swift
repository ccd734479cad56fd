internal import NotificationModel

/// The notification switch of an app in Plasma's settings: a group of `plasmanotifyrc`.
///
/// Plasma has no single switch. An app whose popups are off counts as switched off, because the
/// user asked not to see the popups. Plasma's history may still list the app's notifications.
///
/// Source: plasma-workspace libnotificationmanager kcfg/*.kcfg.
enum PlasmaSwitch {
    static let file = "plasmanotifyrc"
    static let key = "ShowPopups"

    static func group(of app: ApplicationID) -> String {
        "Applications][\(DesktopFileEscaping.group(app.rawValue))"
    }

    /// The app's settings in the file; everything is allowed for an app that the file does not
    /// name.
    static func value(of app: ApplicationID, in text: KeyFile) -> AppSwitch {
        let group = group(of: app)
        func flag(_ key: String) -> Bool { text.flag(key, in: group) ?? true }
        var value = AppSwitch(desktop: "Plasma", isOn: flag(key))
        value.showsBanners = value.isOn
        value.showsBadges = flag("ShowBadges") && text.flag("InTaskManager", in: "Badges") ?? true
        value.isListed = flag("ShowInHistory")
        value.showsCriticalInSilence = text.flag("CriticalInDndMode", in: "Notifications") ?? true
        return value
    }

    /// The commands that set the key, in order; a command is tried only if the earlier ones failed.
    ///
    /// Some versions do not know `--notify`. Without this option, Plasma sees the change only at
    /// its next start.
    static func programs(to isOn: Bool, of app: ApplicationID) -> [[String]] {
        let arguments = [
            "--file", file, "--group", "Applications", "--group", app.rawValue, "--key", key,
            "--type", "bool", isOn ? "true" : "false",
        ]
        return ["kwriteconfig6", "kwriteconfig5"].flatMap { name in
            [[name, "--notify"] + arguments, [name] + arguments]
        }
    }
}
