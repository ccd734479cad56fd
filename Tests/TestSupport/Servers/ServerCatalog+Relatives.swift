/// Desktops made of GNOME's parts.
extension ServerCatalog {
    /// Window manager, panel and notifications are one program.
    package static let cinnamon = DesktopServer(
        name: "cinnamon", packages: ["cinnamon", "dconf-gsettings-backend", "dconf-service"],
        program: .named("cinnamon", ["--sync"]),
        services: ["org.a11y.Bus", "ca.desrt.dconf"], files: [:],
        session: DesktopServer.Session(
            hasSystemBus: true,
            variables: [
                "XDG_SESSION_TYPE": "x11", "XDG_CURRENT_DESKTOP": "X-Cinnamon",
                "GSETTINGS_BACKEND": "dconf",
            ]),
        // It takes clicks on the body's text and not on the summary.
        action: .button, defaultAction: .beside(x: -110, y: 31), dismissal: .cross,
        silence: .command(on: cinnamonSwitch("false"), off: cinnamonSwitch("true")),
        isTranslucent: true,
        draws: [.image, .buttons], actionCloses: true)

    private static func cinnamonSwitch(_ value: String) -> [String] {
        [
            "gsettings", "set", "org.cinnamon.desktop.notifications", "display-notifications",
            value,
        ]
    }

    /// The popups are those of its own daemon, beside the window manager.
    package static let budgie = DesktopServer(
        name: "budgie-core", packages: ["budgie-core"], program: .named("budgie-daemon", []),
        services: ["org.a11y.Bus"], files: [:],
        session: DesktopServer.Session(
            windowManager: ["budgie-wm"], hasSystemBus: true,
            variables: ["XDG_SESSION_TYPE": "x11", "XDG_CURRENT_DESKTOP": "Budgie:GNOME"]),
        action: .button, defaultAction: .text, dismissal: .named("Close"),
        silence: .command(on: budgieToggle, off: budgieToggle), fadesIn: true,
        draws: [.image, .buttons], actionCloses: true)

    private static let budgieToggle = [
        "gdbus", "call", "--session", "--dest", "org.budgie_desktop.Notifications",
        "--object-path", "/org/budgie_desktop/Notifications", "--method",
        "org.buddiesofbudgie.budgie.Dispatcher.ToggleDoNotDisturb",
    ]
}
