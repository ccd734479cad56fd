import TestSupport

/// The expected outcomes of each server, other than a plain yes.
enum MatrixExpectations {
    static func outcome(of cell: MatrixCell, on server: DesktopServer) -> String {
        let version = InstalledPackage.version(of: server.name) ?? []
        let newest = changes.last { change in
            change.server == server.name && change.cells[cell] != nil
                && !version.lexicographicallyPrecedes(change.version)
        }
        return newest?.cells[cell] ?? differences[server.name]?[cell] ?? common[cell] ?? "yes"
    }

    /// The outcomes that differ in versions newer than Debian 12's, the oldest version first.
    private static let changes: [(server: String, version: [Int], cells: [MatrixCell: String])] = [
        ("gnome-shell", [46], [.name: "yes", .icon: "yes"]),
        // The server keeps popups in its list, and does not signal that a popup left the screen.
        ("plasma-workspace", [6, 4], [.expiry: "ignored"]),
        ("sway-notification-center", [0, 12], [.icon: "yes"]),
        // The fifth button lies beyond the edge of the screen. The comment at mako explains the
        // outcome "behind".
        (
            "budgie-core", [10, 10],
            [.buttons: "4", .dismissal: "yes", .windowRunning: "behind"]
        ),
    ]

    private static let common: [MatrixCell: String] = [
        .name: "no", .icon: "without a picture", .buttons: "5", .reply: "by a dialog",
        .unknownID: "new id, silence", .windowRunning: "in front", .windowCold: "in front",
        .switchSeen: "has no switch", .switchTold: "has no switch",
    ]

    private static let differences: [String: [MatrixCell: String]] = [
        "dunst": [.buttons: "in a menu", .unknownID: "taken, silence"],
        "gnome-shell": [
            .buttons: "3", .expiry: "ignored", .restart: "shown again", .switchSeen: "yes",
            .switchTold: "yes",
        ],
        "cinnamon": [.icon: "yes", .expiry: "ignored", .restart: "shown again"],
        // A click on the popup's close button also counts as a click on the popup.
        "budgie-core": [
            .icon: "no", .image: "no", .dismissal: "as a click on it",
            .unknownID: "taken, silence", .switchSeen: "not tested", .switchTold: "not tested",
        ],
        "plasma-workspace": [
            .switchSeen: "yes", .switchTold: "yes",
            .name: "yes", .icon: "yes", .reply: "in the popup", .unknownID: "taken, told closed",
            .restart: "shown again",
        ],
        "xfce4-notifyd": [
            .body: "by a button", .unknownID: "taken, silence", .switchSeen: "yes",
            .switchTold: "yes",
        ],
        "lxqt-notificationd": [
            .name: "yes", .buttons: "a list", .unknownID: "taken, silence",
            .restart: "shown again",
        ],
        "notification-daemon": [
            .unknownID: "new id, error", .expiry: "ignored", .restart: "shown again",
            .doNotDisturb: "has none", .silenceSeen: "has none",
        ],
        // By default, sway only marks a window that asks for the focus: sway(5),
        // focus_on_window_activation.
        "mako-notifier": [.buttons: "in a menu", .windowRunning: "behind"],
        // A Wayland compositor trusts only its own tokens, and this version sends none.
        "sway-notification-center": [
            .unknownID: "new id, told closed", .expiry: "ignored",
            .restart: "shown again", .windowRunning: "behind",
        ],
    ]
}
