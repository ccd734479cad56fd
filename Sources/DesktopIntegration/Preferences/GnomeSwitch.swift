internal import DesktopBus
internal import NotificationModel

/// The notification switch of an app in GNOME's settings.
///
/// Sources: gsettings-desktop-schemas, org.gnome.desktop.notifications.gschema.xml; for adding an
/// app to `application-children`: gnome-shell, js/ui/notificationDaemon.js,
/// `NotificationApplicationPolicy`.
enum GnomeSwitch {
    static let schema = "org.gnome.desktop.notifications"
    static let appSchema = "org.gnome.desktop.notifications.application"
    /// The service of dconf that writes all keys, and signals each change.
    static let writer: BusName = "ca.desrt.dconf"
    /// The dconf directory of all keys about notifications.
    static let folder = "/org/gnome/desktop/notifications/"

    /// An app's name in dconf's paths: lower-case letters, digits, and one hyphen for each run of
    /// other characters.
    static func name(of app: ApplicationID) -> String {
        var name = ""
        for scalar in app.rawValue.lowercased().unicodeScalars {
            let isKept = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            if isKept {
                name.unicodeScalars.append(scalar)
            } else if name.last != "-" {
                name += "-"
            }
        }
        return name
    }

    /// The schema of an app's keys, a colon, and the path of the keys, as gsettings(1) takes them.
    static func settingsPath(of app: ApplicationID) -> String {
        "\(appSchema):\(folder)application/\(name(of: app))/"
    }

    /// Combines an app's keys with the keys for all apps; nil if the app's key `enable` is missing.
    static func value(_ app: GSettingsOutput, all: GSettingsOutput) -> AppSwitch? {
        guard let isOn = app.flag("enable") else { return nil }
        var value = AppSwitch(desktop: "GNOME", isOn: isOn)
        value.showsBanners = app.flag("show-banners")
        value.playsSounds = app.flag("enable-sound-alerts")
        if let here = app.flag("show-in-lock-screen"),
            let anywhere = all.flag("show-in-lock-screen")
        {
            value.isOnLockScreen = here && anywhere
        }
        value.showsTextsWhileLocked = app.flag("details-in-lock-screen")
        return value
    }

    /// The keys to write, in this order, to set one of an app's switches.
    ///
    /// If GNOME does not list the app yet, one more change adds the app to `application-children`,
    /// as GNOME itself would.
    static func changes(
        setting key: String, to isOn: Bool, of app: ApplicationID, all: GSettingsOutput
    ) -> [(schema: String, key: String, value: String)] {
        let place = settingsPath(of: app)
        var changes = [
            (place, "application-id", GVariantEscaping.string("\(app.rawValue).desktop")),
            (place, key, isOn ? "true" : "false"),
        ]
        let name = name(of: app)
        if var listed = all.strings("application-children"), !listed.contains(name) {
            listed.append(name)
            changes.append((schema, "application-children", GVariantEscaping.strings(listed)))
        }
        return changes
    }
}
