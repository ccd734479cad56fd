package import DesktopBus

/// How a scripted server behaves; every switch may change while it runs.
package struct ServerScript: Sendable {
    /// Which calls of `Notify` fail.
    package enum Failures: Sendable {
        case none
        /// Every nth call, counted from the server's start.
        case every(Int, ErrorName)
        /// The next n calls.
        case next(Int, ErrorName)
        case all(ErrorName)
    }

    /// What happens to the answers of `Notify`.
    package enum Replies: Sendable {
        case atOnce
        /// They wait for `release()`.
        case held
        /// They never come.
        case never
    }

    /// What happens when a client leaves the bus.
    package enum Departure: Sendable {
        case keepsAll
        /// GNOME 46 and later: the whole source of an installed app goes with the client that
        /// created it, with `NotificationClosed` 2 for each of its notifications.
        case dropsSource
        /// Plasma 6.4 and later: its notifications stay, without actions.
        case stripsActions
    }

    package var capabilities = ["actions", "body", "body-markup", "icon-static"]
    /// Whether it says who it is only after `introduce()`.
    package var isSilent = false
    package var information = ["Scripted", "Tests", "1", "1.2"]
    package var failures = Failures.none
    package var replies = Replies.atOnce
    package var departure = Departure.keepsAll
    /// The id every call gets, to be like a broken server: 0, or always the same.
    package var fixedID: UInt32?
    /// More than this many at a time are refused.
    package var limit: Int?
    /// The error of a call beyond the limit.
    package var limitError: ErrorName =
        "org.freedesktop.Notifications.MaxNotificationsExceeded"
    /// The same content again within this time is refused as Plasma does.
    package var repeatInterval: Duration?
    /// Whether an action closes the notification, with reason 2.
    package var actionCloses = true
    /// Whether a token for activation precedes an action.
    package var sendsTokens = false
    /// Whether signals go to the caller of `Notify` only.
    package var isUnicast = false
    /// How often each signal is sent.
    package var signalCopies = 1
    /// Whether `Notify` answers a string instead of an id; read when the server starts.
    package var answersText = false

    /// Whether Do Not Disturb is on, where the server tells; announce `inhibitions` as well.
    package var isInhibited: Bool?

    package init() {}

    /// GNOME Shell 46 and later, as far as clients notice.
    package static var gnome46: ServerScript {
        var script = ServerScript()
        script.information = ["gnome-shell", "GNOME", "46.0", "1.2"]
        script.capabilities = [
            "actions", "body", "body-markup", "icon-static", "persistence", "sound",
        ]
        script.departure = .dropsSource
        script.sendsTokens = true
        return script
    }

    /// Plasma 6.4 and later, as far as clients notice.
    package static var plasma64: ServerScript {
        var script = ServerScript()
        script.information = ["Plasma", "KDE", "6.4.0", "1.2"]
        script.capabilities = [
            "body", "body-hyperlinks", "body-markup", "body-images", "icon-static", "actions",
            "persistence", "inline-reply", "inhibitions", "sound",
        ]
        script.departure = .stripsActions
        script.repeatInterval = .seconds(1)
        script.sendsTokens = true
        return script
    }
}
