internal import DesktopBus
internal import NotificationModel

/// What an error of `Notify` means for the post, by the names that servers really send.
enum RefusalTable {
    /// What to do with a failed post.
    enum Verdict: Hashable {
        case later(PostQueue.Refusal)
        case outcome(PresentationOutcome)
    }

    /// Error names, or endings of names, that ask for patience.
    private static let patience: [(ending: String, refusal: PostQueue.Refusal, source: String)] = [
        (
            "Error.ExcessNotificationGeneration", .duplicate,
            "https://invent.kde.org/plasma/plasma-workspace libnotificationmanager/server_p.cpp"
        ),
        (
            "MaxNotificationsExceeded", .full,
            "https://gitlab.gnome.org/Archive/notification-daemon src/nd-daemon.c"
        ),
        (
            "_notification_2ddaemon_2derror_2dquark.Code1", .full,
            "https://github.com/mate-desktop/mate-notification-daemon src/daemon/daemon.c"
        ),
        (
            "org.freedesktop.DBus.Error.LimitsExceeded", .duplicate,
            "D-Bus specification, standard errors"
        ),
    ]

    static func verdict(on error: BusError) -> Verdict {
        if let name = error.remoteName?.rawValue,
            let row = patience.first(where: { name.hasSuffix($0.ending) })
        {
            return .later(row.refusal)
        }
        switch error.code {
        case .serviceUnknown: return .outcome(.unavailable)
        case .disconnected, .noReply, .connectionFailed, .noBus: return .outcome(.interrupted)
        case .timedOut, .cancelled: return .outcome(.unanswered)
        case .limitsExceeded: return .later(.duplicate)
        default: return .outcome(.refused(error.description))
        }
    }
}
