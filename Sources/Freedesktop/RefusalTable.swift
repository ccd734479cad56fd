internal import DesktopBus
internal import NotificationModel

/// Decides what happens to a post whose call of `Notify` failed.
enum RefusalTable {
    indirect enum Verdict: Hashable, Sendable {
        case outcome(PresentationOutcome)
        /// The server seems to be gone, so the presenter asks the bus.
        ///
        /// If the server still runs, `otherwise` is the verdict: some servers pass on such an error
        /// from a program behind them.
        case gone(otherwise: Verdict)
        /// The bus is gone.
        case lost
    }

    struct Row {
        var ending: String
        var delay: PostDelay
        var source: String
    }

    /// The servers' own errors after which the post is retried, by the ends of their names.
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
    ]

    /// Decides by the error of the call.
    ///
    /// After Tocsin's own timeout or cancellation, it is unknown whether the popup was shown.
    ///
    /// A timeout that came over the bus is an answer: the server refused the popup.
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
