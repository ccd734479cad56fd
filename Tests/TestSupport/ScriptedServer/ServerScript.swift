package import DesktopBus

/// The behaviour of a scripted server; a test may change it while the server runs.
///
/// It owns the answers, the failures and the limits.
///
/// It promises presets, such as `gnome46`, that look to clients like real servers.
///
/// It never holds state: `ServerState` does.
package struct ServerScript: Sendable {
    /// The calls of `Notify` that fail.
    package enum Failures: Sendable {
        case none
        /// Every nth call, counted from the server's start.
        case every(Int, ErrorName)
        /// The next n calls.
        case next(Int, ErrorName)
        case all(ErrorName)
    }

    /// The time at which the server answers `Notify`.
    package enum Replies: Sendable {
        case atOnce
        /// The answers wait for `release()`.
        case held
        /// The answers never come.
        case never
    }

    /// How the server treats the popups of a client that leaves the bus.
    package enum Departure: Sendable {
        case keepsAll
        /// GNOME 46 and later: the server groups an installed app's notifications in a source. When
        /// the client that created the source leaves, the server closes them all, with reason 2.
        case dropsSource
        /// Plasma 6.4 and later: the notifications stay on the screen, but lose their actions.
        case stripsActions
    }

    package var capabilities = ["actions", "body", "body-markup", "icon-static"]
    /// Whether the server reports its name and capabilities only after `introduce()`.
    package var isSilent = false
    /// How many calls of `GetServerInformation` or `GetCapabilities` fail at first: GNOME's relay
    /// exports its object late.
    package var unexportedCalls = 0
    /// The error of these calls; if it names an unknown method or object, clients soon try again.
    package var unexportedError: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    package var information = ["Scripted", "Tests", "1", "1.2"]
    package var failures = Failures.none
    package var replies = Replies.atOnce
    package var departure = Departure.keepsAll
    /// The id that a broken server gives to every popup, such as 0; nil for a working server.
    package var fixedID: UInt32?
    /// The most notifications that the server shows; it refuses further calls.
    package var limit: Int?
    /// The error of a call beyond the limit.
    package var limitError: ErrorName =
        "org.freedesktop.Notifications.MaxNotificationsExceeded"
    /// How long the server refuses content equal to the previous post, as Plasma does.
    package var repeatInterval: Duration?
    /// The most notifications of one app; a further notification closes the oldest, with reason 1.
    package var appLimit: Int?
    /// Whether the server signals that a notification leaves the screen.
    package var tellsClosed = true
    /// Whether an action closes the notification.
    package var actionCloses = true
    /// The reason of a close by an action.
    package var actionCloseReason: UInt32 = 2
    /// Whether `CloseNotification` signals the end of an unknown popup, with reason 3.
    package var closesUnknown = false
    /// Whether a token for activation precedes an action.
    package var sendsTokens = false
    /// Whether signals go to the caller of `Notify` only.
    package var isUnicast = false
    /// Whether signals of replies go to the caller of `Notify` only.
    package var repliesAreUnicast = false
    /// Whether signals about a replaced popup go to the client that first posted the popup.
    package var remembersFirstSender = false
    /// How often each signal is sent.
    package var signalCopies = 1
    /// Whether a connection that does not own the name also sends each signal, to everybody.
    package var isEchoed = false
    /// Whether `Notify` answers a string instead of an id; read when the server starts.
    package var answersText = false

    /// Whether Do Not Disturb is on; nil if the server does not report it.
    ///
    /// A script with a value must also have the capability `inhibitions`.
    package var isInhibited: Bool?

    package init() {}

    /// GNOME Shell 46 and 47, as far as clients notice.
    ///
    /// A relay owns the name and signals only to the caller; the shell behind it signals to
    /// everybody.
    package static var gnome46: ServerScript {
        var script = ServerScript()
        script.information = ["gnome-shell", "GNOME", "46.0", "1.2"]
        script.capabilities = [
            "actions", "body", "body-markup", "icon-static", "persistence", "sound",
        ]
        script.departure = .dropsSource
        script.appLimit = 3
        script.isUnicast = true
        script.isEchoed = true
        script.sendsTokens = true
        return script
    }

    /// dunst, as far as clients notice.
    package static var dunst: ServerScript {
        var script = ServerScript()
        script.information = ["dunst", "knopwob", "1.9.0 (2022-06-27)", "1.2"]
        script.isUnicast = true
        return script
    }

    /// Plasma 5, as far as clients notice.
    package static var plasma5: ServerScript {
        var script = plasma63
        script.information[2] = "5.27.5"
        script.remembersFirstSender = true
        return script
    }

    /// Plasma 6.0 to 6.3, as far as clients notice.
    package static var plasma63: ServerScript {
        var script = plasma64
        script.information[2] = "6.3.6"
        script.departure = .keepsAll
        script.repliesAreUnicast = true
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
        // After an action, Plasma calls its own `CloseNotification`, which gives reason 3.
        script.actionCloseReason = 3
        script.closesUnknown = true
        script.repeatInterval = .seconds(1)
        script.sendsTokens = true
        return script
    }
}
