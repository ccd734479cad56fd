/// The table of the known desktops.
///
/// Each row describes the server, the settings and the screen locker of a desktop, and names the
/// sources of these facts. The code assumes that a server without a row follows the specification.
public enum Desktops {
    /// The desktop whose server has this name and vendor; nil for an unknown server.
    public static func row(server name: String, vendor: String) -> Desktop? {
        table.first { $0.server == name && $0.vendor ?? vendor == vendor }
    }

    /// How a server differs from the specification.
    ///
    /// The server's `GetServerInformation` returns the three arguments.
    ///
    /// The result is the first of the desktop's traits whose `since` is at most `version`. So the
    /// traits of a newer version repeat each older difference that still exists. mako of Debian 12
    /// reports the version 0.0.0, and gets the oldest traits.
    public static func traits(server name: String, vendor: String, version: String) -> ServerTraits
    {
        row(server: name, vendor: vendor)?.traits(of: version) ?? ServerTraits()
    }

    /// All services that may report that the session is locked.
    public static var lockers: [Locker] { table.compactMap(\.locker) }

    /// The commands that open a file or an address, in search order.
    ///
    /// The file or the address follows as the last argument.
    ///
    /// On any desktop, `xdg-open` starts the program that the user chose. The other commands do so
    /// only on their own desktops.
    public static let openers = [
        ["xdg-open"], ["gio", "open"], ["kde-open"], ["kde-open5"], ["exo-open"],
    ]

    /// The rows; if two servers have the same name, the row with a vendor comes first.
    public static let table: [Desktop] = [
        gnome, plasma, xfce, mate, notificationDaemon, cinnamon, lxqt, budgie, cosmic, dunst, mako,
        swaync,
    ]

    private static let gnome = Desktop(
        server: "gnome-shell", name: "GNOME",
        traits: [
            ServerTraits(
                since: ServerVersion("46"),
                source: "https://gitlab.gnome.org/GNOME/gnome-shell js/ui/notificationDaemon.js: "
                    + "the popups of an installed app go when their sender leaves the bus "
                    + "(commit 9af81e44bc)",
                quirks: [.listsQuietly, .forgetsSenders, .hidesWhileLocked]),
            ServerTraits(
                source: "https://gitlab.gnome.org/GNOME/gnome-shell/-/blob/43.9/js/ui/"
                    + "messageTray.js: no banner for low urgency; NotificationBanner._onUpdated "
                    + "drops the buttons of a replaced popup, and new ones are not drawn; "
                    + "js/dbusServices/notifications: signals go to the connection of the popup",
                quirks: [
                    .listsQuietly, .tellsSenderAlone, .replacesWithoutButtons, .hidesWhileLocked,
                ]),
        ],
        source: "https://gitlab.gnome.org/GNOME/gsettings-desktop-schemas "
            + "org.gnome.desktop.notifications.gschema.xml; the switch of the shell's menu is the "
            + "inverse of show-banners (gnome-shell js/ui/calendar.js)",
        silence: .setting(
            schema: "org.gnome.desktop.notifications", key: "show-banners", isOnAt: "false"),
        switches: .gnome, pages: [["gnome-control-center", "notifications", "@"]],
        locker: Locker(
            bus: "org.gnome.ScreenSaver",
            source: "active while the shield covers the screen, with a lock or without: "
                + "https://gitlab.gnome.org/GNOME/gnome-shell js/ui/shellDBus.js, screenShield.js; "
                + "gnome-screensaver, Gala and Phosh have the same name"))

    private static let plasma = Desktop(
        server: "Plasma", name: "Plasma",
        traits: [
            ServerTraits(
                since: ServerVersion("6.4"),
                source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: "
                    + "the actions of a sender that leaves are removed; a timeout sends no "
                    + "NotificationClosed, and a popup that timed out is not listed if it has no "
                    + "desktop file; else as below",
                quirks: [
                    .refusesBursts, .hasSettingsButton, .forgetsSenders, .dropsInSilence,
                    .drawsMarkupInLabels,
                ], mnemonicLimit: .max),
            ServerTraits(
                since: ServerVersion("6"),
                source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: "
                    + "server_p.cpp: NotificationReplied goes to the connection of the popup; "
                    + "else as below",
                quirks: [
                    .refusesBursts, .hasSettingsButton, .tellsSenderAloneOfReplies,
                    .drawsMarkupInLabels,
                ], mnemonicLimit: .max),
            ServerTraits(
                source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: "
                    + "ExcessNotificationGeneration within 1 s; `settings` is its configure "
                    + "button; seen on 5.27: a reply goes to the connection that posted the popup "
                    + "first; https://invent.kde.org/frameworks/kirigami mnemonicattached.cpp: "
                    + "the `&` before a letter is not drawn; "
                    + "https://invent.kde.org/plasma/libplasma ButtonContent.qml: the label has "
                    + "the format Text.AutoText",
                quirks: [
                    .refusesBursts, .hasSettingsButton, .tellsSenderAloneOfReplies,
                    .remembersFirstSender, .drawsMarkupInLabels,
                ], mnemonicLimit: .max),
        ],
        source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager "
            + "settings.cpp, kcms/notifications/kcm.cpp (its arguments)",
        silence: .property(
            "Inhibited", interface: "org.freedesktop.Notifications",
            path: "/org/freedesktop/Notifications", bus: "org.freedesktop.Notifications"),
        switches: .plasma,
        pages: ["systemsettings", "systemsettings5", "kcmshell6", "kcmshell5"].map {
            [$0, "kcm_notifications", "--args", "--desktop-entry @"]
        },
        locker: Locker(
            bus: "org.freedesktop.ScreenSaver",
            source: "locked: https://invent.kde.org/plasma/kscreenlocker interface.cpp; on GNOME "
                + "and Cinnamon another program has this name, and passes on the state of the "
                + "desktop's own locker"))

    private static let xfce = Desktop(
        server: "Xfce Notify Daemon", name: "Xfce",
        traits: [
            ServerTraits(
                source: "https://docs.xfce.org/apps/notifyd/spec: `default` is only a button; "
                    + "seen on 0.7.3: the hint `value` replaces the texts and buttons",
                quirks: [.offersDefaultByLabel, .drawsProgressAlone], labelsDefaultAction: true)
        ],
        source: "https://gitlab.xfce.org/apps/xfce4-notifyd common/xfce-notify-common.h; "
            + "https://gitlab.xfce.org/xfce/xfconf common/xfconf-dbus.xml",
        silence: .xfconf(channel: "xfce4-notifyd", property: "/do-not-disturb"),
        switches: .xfce, pages: [["xfce4-notifyd-config"]],
        locker: Locker(
            bus: "org.xfce.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://gitlab.xfce.org/apps/xfce4-screensaver src/gs-listener-dbus.c"))

    private static let mateTraits = ServerTraits(
        source: "https://github.com/mate-desktop/mate-notification-daemon src/daemon/daemon.c: at "
            + "most 20 at a time; the close button gives the reason 1 (1.26)",
        quirks: [.refusesBursts, .expiresWhatIsDismissed])

    private static let mate = Desktop(
        server: "Notification Daemon", vendor: "MATE", name: "MATE", traits: [mateTraits],
        source: "https://github.com/mate-desktop/mate-notification-daemon "
            + "data/org.mate.NotificationDaemon.gschema.xml.in",
        silence: .setting(
            schema: "org.mate.NotificationDaemon", key: "do-not-disturb", isOnAt: "true"),
        pages: [["mate-notification-properties"]],
        locker: Locker(
            bus: "org.mate.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://github.com/mate-desktop/mate-screensaver src/gs-listener-dbus.c"))

    /// The fallback server of older GNOME versions; it has no Do Not Disturb.
    ///
    /// MATE's server is a fork of this server, so both have the same traits.
    private static let notificationDaemon = Desktop(
        server: "Notification Daemon", name: "notification-daemon", traits: [mateTraits])

    private static let cinnamon = Desktop(
        server: "cinnamon", name: "Cinnamon",
        traits: [
            ServerTraits(
                source: "https://github.com/linuxmint/cinnamon js/ui/notificationDaemon.js: the "
                    + "popups of a known app go when their sender leaves the bus; image-path becomes "
                    + "a URI, which throws if it already is a URI; messageTray.js: the cross gives "
                    + "no reason (5.6); seen on 6.6: Closed(2) at once while notifications are off",
                quirks: [
                    .forgetsSenders, .dismissesWithoutReason, .dismissesUnseen,
                    .takesImagesByPath,
                ])
        ],
        source: "https://github.com/linuxmint/cinnamon-desktop schemas "
            + "org.cinnamon.desktop.notifications.gschema.xml",
        silence: .setting(
            schema: "org.cinnamon.desktop.notifications", key: "display-notifications",
            isOnAt: "false"), pages: [["cinnamon-settings", "notifications"]],
        locker: Locker(
            bus: "org.cinnamon.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://github.com/linuxmint/cinnamon-screensaver src/service.py"))

    private static let lxqt = Desktop(
        server: "lxqt-notificationd", name: "LXQt",
        traits: [
            ServerTraits(
                since: ServerVersion("2.4"),
                source: "https://github.com/lxqt/lxqt-notificationd src/notificationlayout.cpp: "
                    + "the timeout of a transient popup gives the reason 2 (pull/456: such a popup "
                    + "is not listed); else as below",
                quirks: [.keepsFirstButtons, .dismissesTransient], mnemonicLimit: 3,
                hintNames: ["image-path": "image_path", "image-data": "image_data"]),
            ServerTraits(
                source: "https://github.com/lxqt/lxqt-notificationd src/notification.cpp: pictures "
                    + "by the names of version 1.1; Notification::setValues makes the buttons once "
                    + "for each popup; src/notificationwidgets.cpp: up to three actions are "
                    + "QPushButtons, which do not draw a single `&`",
                quirks: [.keepsFirstButtons], mnemonicLimit: 3,
                hintNames: ["image-path": "image_path", "image-data": "image_data"]),
        ],
        source: "https://github.com/lxqt/lxqt-notificationd src/notificationarea.cpp",
        silence: .file(path: "lxqt/notifications.conf", group: "General", key: "doNotDisturb"),
        pages: [["lxqt-config-notificationd"]])

    private static let budgie = Desktop(
        server: "Budgie Notification Server", name: "Budgie",
        source: "https://github.com/BuddiesOfBudgie/budgie-desktop "
            + "src/daemon/notifications/dbus.vala",
        silence: .method(
            "GetDoNotDisturb", interface: "org.buddiesofbudgie.budgie.Dispatcher",
            path: "/org/budgie_desktop/Notifications", bus: "org.budgie_desktop.Notifications"),
        switches: .gnome, pages: [["budgie-control-center", "notifications"]])

    // According to its Cargo.toml, the server of Epoch 1.9.0 reports the version 1.9.0. Older
    // servers report 0.1.0.
    private static let cosmic = Desktop(
        server: "cosmic-notifications", name: "COSMIC",
        traits: [
            ServerTraits(
                source: "https://github.com/pop-os/cosmic-notifications/issues/106: an escape such "
                    + "as `&amp;` is drawn; https://github.com/pop-os/cosmic-comp/issues/2106: no "
                    + "sound is played; "
                    + "https://github.com/pop-os/cosmic-notifications/issues/100: no buttons; "
                    + "src/app.rs: a click on the popup is `default`, or else the first action; "
                    + "`expire` sends no NotificationClosed; src/subscriptions/notifications.rs: "
                    + "the panel's list gets no transient notification",
                quirks: [.drawsNoButtons, .dropsTransientInSilence],
                falseClaims: ["body-markup", "sound"])
        ])

    private static let dunst = Desktop(
        server: "dunst", name: "dunst",
        traits: [
            ServerTraits(
                source: "https://dunst-project.org/documentation: actions are listed in a menu, "
                    + "which `do_action` opens if there is no default action; src/dbus.c: "
                    + "signals go to the connection of the popup",
                quirks: [.offersDefaultByLabel, .tellsSenderAlone], labelsDefaultAction: true)
        ],
        source: "https://github.com/dunst-project/dunst src/dbus.c, org.dunstproject.cmd0",
        silence: .property(
            "paused", interface: "org.dunstproject.cmd0", path: "/org/freedesktop/Notifications",
            bus: "org.freedesktop.Notifications"))

    private static let mako = Desktop(
        server: "mako", name: "mako",
        traits: [
            ServerTraits(
                source: "https://github.com/emersion/mako/issues/612: actions only in menus",
                labelsDefaultAction: true)
        ],
        source: "https://github.com/emersion/mako dbus/mako.c; the mode's name is a convention "
            + "(doc/mako.5.scd)",
        silence: .member(
            "do-not-disturb", of: "ListModes", interface: "fr.emersion.Mako",
            path: "/fr/emersion/Mako", bus: "org.freedesktop.Notifications"))

    private static let swaync = Desktop(
        server: "SwayNotificationCenter", name: "SwayNotificationCenter",
        traits: [
            ServerTraits(
                source: "https://github.com/ErikReider/SwayNotificationCenter src/notiModel "
                    + "(0.7.3): an action with an empty label is ignored; functions.vala opens "
                    + "image-path as a file; src/configModel (0.12.6): inline replies are off "
                    + "unless the user turns them on",
                quirks: [.takesImagesByPath], labelsDefaultAction: true,
                configuration: ServerConfiguration(
                    capability: "inline-reply", file: "swaync/config.json",
                    key: "notification-inline-replies"))
        ],
        source: "https://github.com/ErikReider/SwayNotificationCenter src/swayncDaemon",
        silence: .method(
            "GetDnd", interface: "org.erikreider.swaync.cc", path: "/org/erikreider/swaync/cc",
            bus: "org.erikreider.swaync.cc"))
}

/// One desktop: its notification server, its settings and its screen locker.
public struct Desktop: Sendable {
    /// The server's name, as `GetServerInformation` reports it.
    public var server: String
    /// The server's vendor, as `GetServerInformation` reports it; nil if no other server has the
    /// same name.
    public var vendor: String?
    /// The desktop's name as users know it.
    public var name: String
    /// How the server differs from the specification, the newest version first.
    public var traits: [ServerTraits] = []
    /// The sources that document the desktop's settings.
    public var source = ""
    /// The place where the desktop reports whether Do Not Disturb is on.
    public var silence: SilenceSource?
    /// The place where the desktop keeps the notification switch of each app.
    public var switches: SwitchSource?
    /// Commands that open the desktop's settings, best first; `@` stands for the app's id.
    ///
    /// The first command whose program is installed runs.
    public var pages: [[String]] = []
    /// The screen locker that reports whether the session is locked.
    public var locker: Locker?

    /// Whether the desktop's settings are read with the program `gsettings`.
    public var usesGSettings: Bool {
        if case .setting = silence { return true }
        return switches == .gnome
    }

    /// How the server of this version differs from the specification.
    public func traits(of version: String) -> ServerTraits {
        traits.first { $0.since <= ServerVersion(version) } ?? ServerTraits()
    }
}

/// The place where a desktop reports whether Do Not Disturb is on.
public enum SilenceSource: Hashable, Sendable {
    /// A property of type `b` of a program on the session bus.
    case property(String, interface: String, path: String, bus: String)
    /// A method of a program on the session bus; the method has no arguments, and returns `b`.
    case method(String, interface: String, path: String, bus: String)
    /// A method of a program on the session bus; `of` names the method, which returns strings.
    ///
    /// Do Not Disturb is on while the strings include the first argument of this case.
    case member(String, of: String, interface: String, path: String, bus: String)
    /// A property of Xfconf.
    case xfconf(channel: String, property: String)
    /// A GSettings key, and the text of its value while Do Not Disturb is on.
    case setting(schema: String, key: String, isOnAt: String)
    /// A key of a file in the user's configuration folder; the key is `true` in Do Not Disturb.
    case file(path: String, group: String, key: String)
}

/// The place where a desktop keeps the notification switch of each app.
public enum SwitchSource: Hashable, Sendable {
    /// GSettings `org.gnome.desktop.notifications.application`, at a path for each app.
    case gnome
    /// The file `plasmanotifyrc`.
    case plasma
    /// The Xfconf channel `xfce4-notifyd`.
    case xfce
}

/// A program on the session bus that reports whether the session is locked.
///
/// Each locker has the members that gnome-screensaver introduced, `GetActive` and `ActiveChanged`.
/// "Active" may mean a lock or a mere screen saver, and no member tells which. So the daemon treats
/// "active" as locked. For a mere screen saver, this does no harm: nobody reads a popup while it
/// runs, and the locker reports its end.
public struct Locker: Hashable, Sendable {
    /// The locker's name on the bus.
    ///
    /// The interface has the same name, and the object path has the same parts.
    public var bus: String
    /// The meaning of "active" at this locker, and the source that documents it.
    public var source: String
}
