/// How a server differs from the specification: one row each, with the source of the difference.
///
/// A mapper asks for the trait and never for the name.
public struct ServerQuirks: Hashable, Sendable {
    /// The label of the `default` action: a text where the server shows it in a list or on a
    /// button, empty where a label would draw a button that nobody wants.
    public var defaultActionLabel = ""
    /// Whether the label is something to choose besides the other actions, a button or what a click
    /// takes in their place: it is there only where a click does something.
    public var offersDefaultByLabel = false
    /// Whether it refuses bursts, so that one call of an app has to end before its next begins.
    public var refusesBursts = false
    /// Whether it draws the action `settings` as a button of its own, which leaves the popup there.
    public var hasSettingsButton = false
    /// Whether it keeps what is of low urgency in its list without a banner.
    public var listsQuietly = false
    /// Whether popups go, or lose their buttons, when the connection that posted them leaves.
    public var forgetsSenders = false
    /// Whether a popup without `desktop-entry` that times out is listed nowhere, and no signal says
    /// that it left: one whose answer somebody waits for must not time out.
    public var dropsInSilence = false
    /// Whether signals go to the connection that posted a popup, so that a new one has to post it
    /// again to hear of its answer.
    public var tellsSenderAlone = false
    /// The same, of replies that are typed into a popup.
    public var tellsSenderAloneOfReplies = false
    /// Whether it tells of replies the connection that posted a popup first, also when another one
    /// has replaced it since, so that one of an earlier run is closed and posted anew.
    public var remembersFirstSender = false
    /// Whether a popup that is replaced while it is on the screen shows the new text without any
    /// buttons, so that one with buttons is closed and posted anew.
    public var replacesWithoutButtons = false
    /// Whether it reports a popup that a person closed as one that expired, which it can only be
    /// where the popup may expire.
    public var expiresWhatIsDismissed = false
    /// Whether a popup with a bar of progress shows nothing but the bar: no text and no button.
    public var drawsProgressAlone = false
    /// Whether it reports a popup whose cross a person clicked with 0, which is no reason.
    public var dismissesWithoutReason = false
    /// Whether it says at once that a person dismissed what it does not show, because Do Not Disturb
    /// is on.
    public var dismissesUnseen = false
    /// Whether `image-path` has to be a path: given the URI of the specification it draws no picture,
    /// or no popup at all.
    public var takesPicturesByPath = false
    /// Whether it keeps texts from its lock screen by itself, by the switch that we read, so that
    /// ours would hide them a second time.
    public var hidesWhileLocked = false
    /// The switch of its own configuration without which it does not do all that it says.
    public var configuration: ServerConfiguration?
    /// The names under which it looks for hints that have another name in the specification.
    public var hintNames: [String: String] = [:]

    /// One row of the table.
    struct Row {
        var server: String
        /// The first version that the row is for.
        var since = ServerVersion()
        var source: String
        var quirks: ServerQuirks
    }

    /// The quirks of the server of this name and version, as `GetServerInformation` reports them.
    public static func of(server name: String, version: String = "") -> ServerQuirks {
        table.first { $0.server == name && $0.since <= ServerVersion(version) }?.quirks
            ?? ServerQuirks()
    }

    /// Of several rows of a server the newest comes first.
    static let table: [Row] = [
        Row(
            server: "dunst",
            source: "https://dunst-project.org/documentation: actions are listed in a menu, and "
                + "`do_action` takes the default one before it opens that; src/dbus.c: signals go "
                + "to the connection of the popup",
            quirks: ServerQuirks(
                defaultActionLabel: "Open", offersDefaultByLabel: true, tellsSenderAlone: true)),
        Row(
            server: "Xfce Notify Daemon",
            source: "https://docs.xfce.org/apps/notifyd/spec: `default` is only a button; seen on "
                + "0.7.3: the hint `value` takes the place of all else",
            quirks: ServerQuirks(
                defaultActionLabel: "Open", offersDefaultByLabel: true, drawsProgressAlone: true)),
        Row(
            server: "mako",
            source: "https://github.com/emersion/mako/issues/612: actions only in menus",
            quirks: ServerQuirks(defaultActionLabel: "Open")),
        Row(
            server: "SwayNotificationCenter",
            source: "https://github.com/ErikReider/SwayNotificationCenter src/notiModel (0.7.3): "
                + "an action with an empty label is none; functions.vala opens image-path as a file; "
                + "src/configModel (0.12.6): inline replies are off unless it is told otherwise",
            quirks: ServerQuirks(
                defaultActionLabel: "Open", takesPicturesByPath: true,
                configuration: ServerConfiguration(
                    capability: "inline-reply", file: "swaync/config.json",
                    key: "notification-inline-replies"))),
        Row(
            server: "gnome-shell", since: ServerVersion("46"),
            source: "https://gitlab.gnome.org/GNOME/gnome-shell js/ui/notificationDaemon.js: the "
                + "source of an installed app goes with its sender (commit 9af81e44bc)",
            quirks: ServerQuirks(
                listsQuietly: true, forgetsSenders: true, hidesWhileLocked: true)),
        Row(
            server: "lxqt-notificationd",
            source: "https://github.com/lxqt/lxqt-notificationd src/notification.cpp: pictures by "
                + "the names of version 1.1",
            quirks: ServerQuirks(
                hintNames: ["image-path": "image_path", "image-data": "image_data"])),
        Row(
            server: "gnome-shell",
            source: "https://gitlab.gnome.org/GNOME/gnome-shell/-/blob/43.9/js/ui/messageTray.js: "
                + "no banner for low urgency; NotificationBanner._onUpdated drops the buttons, and "
                + "the new ones come after it; js/dbusServices/notifications: signals go to the "
                + "connection of the popup",
            quirks: ServerQuirks(
                listsQuietly: true, tellsSenderAlone: true, replacesWithoutButtons: true,
                hidesWhileLocked: true)),
        Row(
            server: "cinnamon",
            source: "https://github.com/linuxmint/cinnamon js/ui/notificationDaemon.js: the "
                + "source of an app that is known goes with its sender; image-path is made a URI "
                + "there, which throws where it is one; messageTray.js: the cross gives no reason "
                + "(5.6); seen on 6.6: Closed(2) at once while notifications are off",
            quirks: ServerQuirks(
                forgetsSenders: true, dismissesWithoutReason: true, dismissesUnseen: true,
                takesPicturesByPath: true)),
        Row(
            server: "Plasma", since: ServerVersion("6.4"),
            source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: the "
                + "actions of a sender that leaves are removed; a popup that times out is not "
                + "closed, and what has no desktop file is not listed; else as below",
            quirks: ServerQuirks(
                refusesBursts: true, hasSettingsButton: true, forgetsSenders: true,
                dropsInSilence: true)),
        Row(
            server: "Plasma", since: ServerVersion("6"),
            source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: "
                + "server_p.cpp: NotificationReplied goes to the connection of the popup; else as "
                + "below",
            quirks: ServerQuirks(
                refusesBursts: true, hasSettingsButton: true, tellsSenderAloneOfReplies: true)),
        Row(
            server: "Plasma",
            source: "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager: "
                + "ExcessNotificationGeneration within 1 s; `settings` is its configure button; "
                + "seen on 5.27: a reply goes to the connection that posted the popup first",
            quirks: ServerQuirks(
                refusesBursts: true, hasSettingsButton: true, tellsSenderAloneOfReplies: true,
                remembersFirstSender: true)),
        Row(
            server: "Notification Daemon",
            source:
                "https://github.com/mate-desktop/mate-notification-daemon src/daemon/daemon.c: at "
                + "most 20 at a time; the close button gives the reason 1 (1.26)",
            quirks: ServerQuirks(refusesBursts: true, expiresWhatIsDismissed: true)),
    ]
}
