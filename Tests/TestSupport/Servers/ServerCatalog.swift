internal import Foundation

/// The real servers that tests run on.
package enum ServerCatalog {
    /// dunst draws no buttons: a middle click runs a menu program instead.
    ///
    /// The script `pick` is that program. It chooses the entry whose label is in the file `choice`.
    package static let dunst = DesktopServer(
        name: "dunst", packages: ["dunst", "openbox"],
        program: .named("dunst", ["-config", "@/dunstrc"]),
        services: [],
        files: [
            "dunstrc": """
            [global]
             markup = full
             origin = top-right
             idle_threshold = 0
             dmenu = @/pick
             mouse_left_click = do_action, close_current
             mouse_middle_click = context
             mouse_right_click = close_current
            """,
            // dunst's lines have the form "#Like (Summary) [3,like]".
            "pick": """
            #!/bin/sh
            : > @/opened
            exec grep -m1 -F -e "#$(cat @/choice)"
            """,
        ],
        session: DesktopServer.Session(windowManager: ["openbox"]),
        sight: .window("Dunst"), action: .menu("Dunst", .middle),
        defaultAction: .window("Dunst", .left), dismissal: .window("Dunst", .right),
        silence: .command(
            on: ["dunstctl", "set-paused", "true"], off: ["dunstctl", "set-paused", "false"]),
        draws: [.image], actionCloses: false)

    /// Xfce draws `default` as one of its buttons.
    package static let xfce = DesktopServer(
        name: "xfce4-notifyd", packages: ["xfce4-notifyd", "xfwm4"],
        program: .service("org.xfce.xfce4-notifyd.Notifications"),
        services: ["org.a11y.Bus", "org.xfce.Xfconf"], files: [:],
        // A compositor would let the background through, and fade popups.
        session: DesktopServer.Session(windowManager: ["xfwm4", "--compositor=off"]),
        action: .button, defaultAction: .button, dismissal: .text,
        silence: .command(on: xfconf("true"), off: xfconf("false")),
        appSwitch: DesktopServer.AppSwitch(
            on: ["xfconf-query"] + xfceMuted + ["-r"],
            off: ["xfconf-query"] + xfceMuted + ["-n", "-a", "-t", "string", "-s"] + [
                "org.tocsin.Test"
            ],
            // xfconf reports an error for a list that does not exist yet.
            reading: ["sh", "-c", "xfconf-query \(xfceMuted.joined(separator: " ")) || true"],
            isOffAt: "org.tocsin.Test"),
        draws: [.image, .buttons], actionCloses: true)

    private static let xfceMuted = [
        "-c", "xfce4-notifyd", "-p", "/applications/muted_applications",
    ]

    private static func xfconf(_ value: String) -> [String] {
        [
            "gdbus", "call", "--session", "--dest", "org.xfce.Xfconf", "--object-path",
            "/org/xfce/Xfconf", "--method", "org.xfce.Xfconf.SetProperty", "xfce4-notifyd",
            "/do-not-disturb", "<\(value)>",
        ]
    }
}
