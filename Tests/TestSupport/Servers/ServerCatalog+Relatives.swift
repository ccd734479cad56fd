/// Desktops made of GNOME's parts.
extension ServerCatalog {
    /// Cinnamon; window manager, panel and notifications are one program.
    package static let cinnamon = DesktopServer(
        name: "cinnamon", packages: ["cinnamon", "dconf-gsettings-backend", "dconf-service"],
        program: .named("cinnamon", ["--sync"]),
        services: ["org.a11y.Bus", "ca.desrt.dconf"], files: [:],
        // A popup goes to the tray after four seconds, and finding it may take as long.
        settings: [["gsettings", "set", notifications, "notification-duration", "60"]],
        session: DesktopServer.Session(
            hasSystemBus: true,
            variables: [
                "XDG_SESSION_TYPE": "x11", "XDG_CURRENT_DESKTOP": "X-Cinnamon",
                "GSETTINGS_BACKEND": "dconf",
            ]),
        // Cinnamon accepts clicks on the body's text and not on the summary.
        action: .button, defaultAction: .beside(x: -110, y: 31), dismissal: .cross,
        silence: .command(on: cinnamonSwitch("false"), off: cinnamonSwitch("true")),
        isTranslucent: true,
        draws: [.image, .buttons], actionCloses: true)

    private static let notifications = "org.cinnamon.desktop.notifications"

    private static func cinnamonSwitch(_ value: String) -> [String] {
        ["gsettings", "set", notifications, "display-notifications", value]
    }

    /// Budgie; its own daemon shows the popups, beside the window manager.
    ///
    /// Since version 10.10 it runs on Wayland. Here its compositor is sway, from which a test gets
    /// the list of windows.
    package static let budgie =
        (InstalledPackage.version(of: "budgie-core") ?? [10, 7])
            .lexicographicallyPrecedes([10, 10])
        ? budgie(
            packages: ["budgie-core"],
            session: DesktopServer.Session(
                windowManager: ["budgie-wm"], variables: ["XDG_SESSION_TYPE": "x11"]),
            sight: .widgets(), dismissal: .named("Close"))
        : budgie(
            packages: ["budgie-core", "sway", "grim", "wtype"],
            session: DesktopServer.Session(
                display: .sway, variables: ["XDG_SESSION_TYPE": "wayland"]),
            sight: .printed(ScreenArea(x: 880, y: 40, width: 400, height: 500)),
            dismissal: .place(ScreenPoint(x: 1_252, y: 67)))

    private static func budgie(
        packages: [String], session: DesktopServer.Session, sight: DesktopServer.Sight,
        dismissal: DesktopServer.Gesture
    ) -> DesktopServer {
        var session = session
        session.hasSystemBus = true
        session.variables["XDG_CURRENT_DESKTOP"] = "Budgie:GNOME"
        return DesktopServer(
            name: "budgie-core", packages: packages, program: .named("budgie-daemon", []),
            services: ["org.a11y.Bus"], files: [:], session: session, sight: sight,
            action: .button, defaultAction: .text, dismissal: dismissal,
            silence: .command(on: budgieToggle, off: budgieToggle), fadesIn: true,
            draws: [.image, .buttons], actionCloses: true)
    }

    private static let budgieToggle = [
        "gdbus", "call", "--session", "--dest", "org.budgie_desktop.Notifications",
        "--object-path", "/org/budgie_desktop/Notifications", "--method",
        "org.buddiesofbudgie.budgie.Dispatcher.ToggleDoNotDisturb",
    ]
}
