internal import DesktopBus

/// One desktop's own settings about notifications: where they are, and how a person gets there.
struct DesktopRow: Sendable {
    /// The server's name, as `GetServerInformation` reports it.
    var server: String
    /// Its vendor, as reported there, where another server has the same name.
    var vendor: String?
    /// What people call the desktop.
    var name: String
    /// Where this is written.
    var source: String
    var silence: SilenceSource?
    var switches: SwitchSource?
    /// What opens its settings: commands in order of preference, of which one is installed; `@` is
    /// the app's id.
    var pages: [[String]] = []
}

extension DesktopRow {
    /// The row of the server of this name and vendor.
    static func of(server name: String, by vendor: String) -> DesktopRow? {
        table.first { $0.server == name && $0.vendor ?? vendor == vendor }
    }

    static let table: [DesktopRow] = [
        DesktopRow(
            server: "gnome-shell", name: "GNOME",
            source: "https://gitlab.gnome.org/GNOME/gsettings-desktop-schemas "
                + "org.gnome.desktop.notifications.gschema.xml; the switch of the shell's menu is "
                + "the inverse of show-banners (gnome-shell js/ui/calendar.js)",
            silence: gnomeSilence, switches: .gnome,
            pages: [["gnome-control-center", "notifications", "@"]]),
        DesktopRow(
            server: "Plasma", name: "Plasma",
            source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager "
                + "settings.cpp, kcms/notifications/kcm.cpp (its arguments)",
            silence: .property(
                "Inhibited", of: "org.freedesktop.Notifications",
                at: "/org/freedesktop/Notifications", on: "org.freedesktop.Notifications"),
            switches: .plasma,
            pages: ["systemsettings", "systemsettings5", "kcmshell6", "kcmshell5"].map {
                [$0, "kcm_notifications", "--args", "--desktop-entry @"]
            }),
        DesktopRow(
            server: "Xfce Notify Daemon", name: "Xfce",
            source: "https://gitlab.xfce.org/apps/xfce4-notifyd common/xfce-notify-common.h; "
                + "https://gitlab.xfce.org/xfce/xfconf common/xfconf-dbus.xml",
            silence: .bus(XfceSwitch.get("/do-not-disturb")) { $0.boolValue },
            switches: .xfce,
            pages: [["xfce4-notifyd-config"]]),
        DesktopRow(
            server: "dunst", name: "dunst",
            source: "https://github.com/dunst-project/dunst src/dbus.c, org.dunstproject.cmd0",
            silence: .property(
                "paused", of: "org.dunstproject.cmd0", at: "/org/freedesktop/Notifications",
                on: "org.freedesktop.Notifications")),
        DesktopRow(
            server: "mako", name: "mako",
            source: "https://github.com/emersion/mako dbus/mako.c; the mode's name is a convention "
                + "(doc/mako.5.scd)",
            silence: .bus(
                MethodCall(
                    destination: "org.freedesktop.Notifications", path: "/fr/emersion/Mako",
                    interface: "fr.emersion.Mako", member: "ListModes", flags: .noAutoStart)
            ) { $0.stringsValue.map { $0.contains("do-not-disturb") } }),
        DesktopRow(
            server: "SwayNotificationCenter", name: "SwayNotificationCenter",
            source: "https://github.com/ErikReider/SwayNotificationCenter src/swayncDaemon",
            silence: .method(
                "GetDnd", of: "org.erikreider.swaync.cc", at: "/org/erikreider/swaync/cc",
                on: "org.erikreider.swaync.cc")),
        DesktopRow(
            server: "Notification Daemon", vendor: "MATE", name: "MATE",
            source: "https://github.com/mate-desktop/mate-notification-daemon "
                + "data/org.mate.NotificationDaemon.gschema.xml.in; GNOME's former fallback has "
                + "the same name and no Do Not Disturb",
            silence: .setting(
                schema: "org.mate.NotificationDaemon", key: "do-not-disturb", isOnAt: "true"),
            pages: [["mate-notification-properties"]]),
        DesktopRow(
            server: "lxqt-notificationd", name: "LXQt",
            source: "https://github.com/lxqt/lxqt-notificationd src/notificationarea.cpp",
            silence: .file(
                path: "lxqt/notifications.conf", group: "General", key: "doNotDisturb"),
            pages: [["lxqt-config-notificationd"]]),
        DesktopRow(
            server: "cinnamon", name: "Cinnamon",
            source: "https://github.com/linuxmint/cinnamon-desktop schemas "
                + "org.cinnamon.desktop.notifications.gschema.xml",
            silence: .setting(
                schema: "org.cinnamon.desktop.notifications", key: "display-notifications",
                isOnAt: "false"),
            pages: [["cinnamon-settings", "notifications"]]),
        DesktopRow(
            server: "Budgie Notification Server", name: "Budgie",
            source: "https://github.com/BuddiesOfBudgie/budgie-desktop "
                + "src/daemon/notifications/dbus.vala",
            silence: .method(
                "GetDoNotDisturb", of: "org.buddiesofbudgie.budgie.Dispatcher",
                at: "/org/budgie_desktop/Notifications", on: "org.budgie_desktop.Notifications"),
            switches: .gnome,
            pages: [["budgie-control-center", "notifications"]]),
    ]

    private static let gnomeSilence = SilenceSource.setting(
        schema: GnomeSwitch.schema, key: "show-banners", isOnAt: "false")
}
