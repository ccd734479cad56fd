extension ServerCatalog {
    /// GNOME; a banner shows its buttons while the pointer is on the banner.
    ///
    /// For version 46 and later, the tests use Wayland without a monitor: version 49 has no X11
    /// session.
    package static let gnome =
        (InstalledPackage.version(of: "gnome-shell") ?? [43])[0] < 46
        ? gnome(
            session: DesktopServer.Session(
                hasSystemBus: true, variables: ["XDG_SESSION_TYPE": "x11"]),
            arguments: ["--x11", "--unsafe-mode", "--mode=user"])
        : gnome(
            session: DesktopServer.Session(
                display: .shell, hasSystemBus: true, variables: ["XDG_SESSION_TYPE": "wayland"]),
            arguments: ShellSession.arguments)

    private static func gnome(
        session: DesktopServer.Session, arguments: [String]
    ) -> DesktopServer {
        var session = session
        // The tests cover the settings of the user, so dconf has to keep them.
        session.variables.merge(["XDG_CURRENT_DESKTOP": "GNOME", "GSETTINGS_BACKEND": "dconf"]) {
            $1
        }
        return DesktopServer(
            name: "gnome-shell",
            packages: [
                "gnome-shell", "gjs", "adwaita-icon-theme", "dconf-gsettings-backend",
                "dconf-service",
            ],
            program: .named("gnome-shell", arguments),
            services: ["org.gnome.Shell.Notifications", "ca.desrt.dconf"], files: [:],
            session: session, sight: .shell, action: .button, defaultAction: .text,
            dismissal: .named("Close"),
            silence: .shell(on: showBanners(false), off: showBanners(true)),
            appSwitch: DesktopServer.AppSwitch(
                on: ["gsettings", "set"] + gnomeSwitch + ["true"],
                off: ["gsettings", "set"] + gnomeSwitch + ["false"],
                reading: ["gsettings", "get"] + gnomeSwitch, isOffAt: "false"),
            draws: [.image, .buttons], actionCloses: true)
    }

    /// Returns the script that sets the key behind "Do Not Disturb" in the shell's menu.
    private static func showBanners(_ value: Bool) -> String {
        """
        new imports.gi.Gio.Settings({schema_id: 'org.gnome.desktop.notifications'})
            .set_boolean('show-banners', \(value))
        """
    }

    private static let gnomeSwitch = [
        "org.gnome.desktop.notifications.application:"
            + "/org/gnome/desktop/notifications/application/org-tocsin-test/", "enable",
    ]

    /// KDE's whole shell, because the reply field takes the keyboard only there.
    ///
    /// Version 6 runs on Wayland, its usual session.
    package static let plasma =
        (InstalledPackage.version(of: "plasma-workspace") ?? [5])[0] < 6
        ? plasma(
            generation: "5", packages: ["plasma-desktop", "kwin-x11"],
            session: DesktopServer.Session(
                windowManager: ["kwin_x11"],
                variables: ["XDG_SESSION_TYPE": "x11", "KWIN_COMPOSE": "N"],
                landmark: "Expand System Tray"))
        : plasma(
            generation: "6", packages: ["plasma-desktop", "kwin-wayland"],
            session: DesktopServer.Session(
                display: .kwin, variables: ["XDG_SESSION_TYPE": "wayland"],
                landmark: "Show hidden icons"))

    private static func plasma(
        generation: String, packages: [String], session: DesktopServer.Session
    ) -> DesktopServer {
        var session = session
        session.hasSystemBus = true
        session.variables.merge([
            "XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true",
            "KDE_SESSION_VERSION": generation, "QT_QUICK_BACKEND": "software",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "XDG_MENU_PREFIX": "plasma-",
        ]) { $1 }
        // A running Plasma 6 notices a change only with `--notify`.
        let change = ["kwriteconfig\(generation)"] + (generation == "5" ? [] : ["--notify"])
        return DesktopServer(
            name: "plasma-workspace", packages: packages,
            program: .named("plasmashell", []),
            services: ["org.kde.ActivityManager", "org.kde.kded\(generation)", "org.a11y.Bus"],
            extraServices: ["org.kde.kglobalaccel"], files: [:], session: session,
            action: .button, defaultAction: .text, dismissal: .named("Close"),
            silence: .inhibition,
            appSwitch: DesktopServer.AppSwitch(
                on: change + plasmaSwitch + ["--type", "bool", "true"],
                off: change + plasmaSwitch + ["--type", "bool", "false"],
                reading: ["kreadconfig\(generation)"] + plasmaSwitch + ["--default", "true"],
                isOffAt: "false"),
            draws: [.image, .buttons], actionCloses: true)
    }

    private static let plasmaSwitch = [
        "--file", "plasmanotifyrc", "--group", "Applications", "--group", "org.tocsin.Test",
        "--key", "ShowPopups",
    ]

    /// MATE's daemon ends after a while without popups, and the bus starts it again.
    package static let mate = DesktopServer(
        // marco needs a schema from the data of the settings daemon.
        name: "mate-notification-daemon",
        packages: ["mate-notification-daemon", "marco", "mate-settings-daemon-common"],
        program: .service("org.freedesktop.mate.Notifications"),
        services: ["org.a11y.Bus", "org.freedesktop.mate.Notifications"], files: [:],
        session: DesktopServer.Session(
            windowManager: ["marco"], variables: ["GSETTINGS_BACKEND": "keyfile"]),
        action: .button, defaultAction: .text, dismissal: .named(""),
        silence: .command(on: mateSwitch("true"), off: mateSwitch("false")),
        draws: [.image, .buttons], actionCloses: true)

    private static func mateSwitch(_ value: String) -> [String] {
        ["gsettings", "set", "org.mate.NotificationDaemon", "do-not-disturb", value]
    }

    /// LXQt draws more than three actions as a list; a popup stays after a response.
    package static let lxqt = DesktopServer(
        name: "lxqt-notificationd", packages: ["lxqt-notificationd", "openbox"],
        program: .named("lxqt-notificationd", []), services: ["org.a11y.Bus"], files: [:],
        session: DesktopServer.Session(
            windowManager: ["openbox"],
            variables: ["QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"]),
        action: .button, defaultAction: .text, dismissal: .named("x"),
        silence: .command(on: lxqtSwitch("true"), off: lxqtSwitch("false")),
        draws: [.image, .buttons], actionCloses: false)

    /// Writes the file as the server's settings window does.
    ///
    /// The server reads the file a moment later, and no event tells when. A test popup would not
    /// tell either, because chance decides whether the server shows it.
    private static func lxqtSwitch(_ value: String) -> [String] {
        [
            "sh", "-c",
            """
            cd "$XDG_CONFIG_HOME/lxqt" && grep -v ^doNotDisturb notifications.conf >new &&
            echo doNotDisturb=\(value) >>new && mv new notifications.conf && sleep 3
            """,
        ]
    }

    /// The notification server of GNOME's old fallback session.
    package static let fallback = DesktopServer(
        name: "notification-daemon", packages: ["notification-daemon", "openbox"],
        program: .path([
            "/usr/lib/notification-daemon/notification-daemon", "/usr/libexec/notification-daemon",
        ]),
        services: ["org.a11y.Bus"], files: [:],
        session: DesktopServer.Session(windowManager: ["openbox"]),
        action: .button, defaultAction: .text, dismissal: .named(""),
        keepsWhatIsClosed: true, draws: [.image, .buttons], actionCloses: true)

    /// mako draws no buttons.
    ///
    /// After a middle click, `makoctl` offers the actions to a menu program, as mako(5) describes.
    package static let mako = DesktopServer(
        name: "mako-notifier", packages: ["mako-notifier", "sway", "grim", "wtype"],
        program: .named("mako", ["-c", "@/config"]), services: [],
        files: [
            "config": """
            background-color=#203a54
            default-timeout=0
            on-button-middle=exec makoctl menu -n "$id" @/pick
            [mode=do-not-disturb]
            invisible=1
            """,
            "pick": """
            #!/bin/sh
            : > @/opened
            exec grep -m1 -F -e "$(cat @/choice)"
            """,
        ],
        session: DesktopServer.Session(display: .sway), sight: .color("#203a54"),
        action: .colorMenu(.middle), defaultAction: .color(.left),
        dismissal: .color(.right),
        silence: .command(
            on: ["makoctl", "mode", "-a", "do-not-disturb"],
            off: ["makoctl", "mode", "-r", "do-not-disturb"]),
        draws: [.image], actionCloses: false)

    /// The popups of swaync lie on one surface, 500 pixels wide, at the right edge.
    ///
    /// Each popup is a button with the summary as its label; tests cannot read the body.
    ///
    /// Since version 0.12, with GTK 4, assistive technologies cannot read the popups at all.
    package static let swaync =
        (InstalledPackage.version(of: "sway-notification-center") ?? [0, 7])
            .lexicographicallyPrecedes([0, 12])
        ? swaync(
            sight: .widgets(origin: ScreenPoint(x: 780, y: 0), summary: .pushButton),
            dismissal: .cross)
        : swaync(
            sight: .printed(ScreenArea(x: 780, y: 0, width: 500, height: 400)),
            dismissal: .place(ScreenPoint(x: 1_254, y: 22)))

    private static func swaync(
        sight: DesktopServer.Sight, dismissal: DesktopServer.Gesture
    ) -> DesktopServer {
        DesktopServer(
            name: "sway-notification-center",
            packages: ["sway-notification-center", "sway", "grim", "wtype"],
            program: .named("swaync", []), services: ["org.a11y.Bus"], files: [:],
            session: DesktopServer.Session(display: .sway),
            sight: sight,
            action: .button, defaultAction: .text, dismissal: dismissal,
            silence: .command(
                on: ["swaync-client", "--dnd-on"], off: ["swaync-client", "--dnd-off"]),
            fadesIn: true, draws: [.buttons], actionCloses: true)
    }
}
