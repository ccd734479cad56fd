internal import DesktopBus
internal import NotificationModel

/// The meaning of `Notify` errors for the post, by the names that servers really send.
enum RefusalTable {
    /// The treatment of a failed post.
    indirect enum Verdict: Hashable, Sendable {
        case outcome(PresentationOutcome)
        /// The server seems to be gone, so the bus has to be asked.
        ///
        /// Some servers pass on such an error from a program behind them. If the server still runs,
        /// `otherwise` is the verdict.
        case gone(otherwise: Verdict)
        /// The bus is gone.
        case lost
    }

    /// An error after which the post is retried later.
    struct Row {
        /// The suffix of the error's name.
        var ending: String
        var delay: PostDelay
        var source: String
    }

    static let retryableErrors: [Row] = [
        Row(
            ending: "Error.ExcessNotificationGeneration", delay: .duplicate,
            source: "https://invent.kde.org/plasma/plasma-workspace "
                + "libnotificationmanager/server_p.cpp"),
        Row(
            ending: "MaxNotificationsExceeded", delay: .full,
            source: "https://gitlab.gnome.org/Archive/notification-daemon src/nd-daemon.c"),
        Row(
            ending: "_notification_2ddaemon_2derror_2dquark.Code1", delay: .full,
            source: "https://github.com/mate-desktop/mate-notification-daemon src/daemon/daemon.c"),
        Row(
            ending: "org.freedesktop.DBus.Error.LimitsExceeded", delay: .duplicate,
            source: "https://dbus.freedesktop.org/doc/dbus-specification.html, standard errors"),
    ]

    /// The verdict on an error.
    ///
    /// Only our own timeout or cancellation leaves open whether the popup was shown. An error that
    /// came over the bus is an answer, whatever its name.
    static func verdict(on error: BusError) -> Verdict {
        let refusal = Verdict.outcome(.refused(PlainText.line(error.description)))
        if let name = error.remoteName?.rawValue,
            let row = retryableErrors.first(where: { name.hasSuffix($0.ending) })
        {
            return .outcome(.later(row.delay))
        }
        switch error.code {
        case .serviceUnknown: return .gone(otherwise: .outcome(.later(.duplicate)))
        case .noReply: return .gone(otherwise: refusal)
        case .disconnected, .connectionFailed, .noBus: return .lost
        case .timedOut, .cancelled:
            return error.remoteName == nil ? .outcome(.unanswered) : refusal
        case .limitsExceeded: return .outcome(.later(.duplicate))
        default: return refusal
        }
    }
}
