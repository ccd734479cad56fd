internal import NotificationModel

/// The switch of an app in Plasma's settings: a group of `plasmanotifyrc`.
///
/// Plasma has no single switch. An app without popups may not notify, whatever its list keeps: its
/// person asked not to see it.
///
/// Source: plasma-workspace libnotificationmanager kcfg/*.kcfg.
enum PlasmaSwitch {
    static let file = "plasmanotifyrc"
    static let key = "ShowPopups"

    static func group(of app: ApplicationID) -> String {
        "Applications][\(DesktopFileEscaping.group(app.rawValue))"
    }

    /// What the file says of an app; of one that it does not name everything is allowed.
    static func value(of app: ApplicationID, in text: GroupedText) -> AppSwitch {
        let group = group(of: app)
        func flag(_ key: String) -> Bool { text.flag(key, in: group) ?? true }
        var value = AppSwitch(desktop: "Plasma", isOn: flag(key))
        value.showsBanners = value.isOn
        value.showsBadges = flag("ShowBadges") && text.flag("InTaskManager", in: "Badges") ?? true
        value.isListed = flag("ShowInHistory")
        value.showsCriticalInSilence = text.flag("CriticalInDndMode", in: "Notifications") ?? true
        return value
    }

    /// The programs that set a key of such a file, the first that is there and succeeds; without
    /// `--notify`, which some versions do not know, Plasma sees the change at its next start.
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
