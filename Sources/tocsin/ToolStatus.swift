internal import NotificationModel

/// What the tool's exit status says; stable, programs rely on it.
enum ToolStatus: Int32 {
    /// Done; with `--wait`: answered.
    case done = 0
    /// Failed in a way that has no status of its own.
    case failure = 1
    /// The notification was dismissed.
    case dismissed = 2
    /// Nobody answered in time.
    case timedOut = 3
    /// The command line cannot be used.
    case usage = 64
    /// A time, file or value cannot be used.
    case data = 65
    /// There is no notification server.
    case noServer = 69
    /// There is no bus, or the daemon cannot be reached.
    case unreachable = 75
    /// Notifications are not allowed.
    case notAllowed = 77

    /// The status for an error of the notification centre.
    init(_ code: NotificationError.Code) {
        self =
            switch code {
            case .invalidArgument, .noDate, .attachmentInvalid, .attachmentUnrecognized,
                .attachmentTooLarge, .attachmentCorrupt, .attachmentNotFound, .badgeInvalid:
                .data
            case .notAllowed, .accessDenied: .notAllowed
            case .noBus, .noDaemon: .unreachable
            case .noServer: .noServer
            case .attachmentNotStored, .limitReached, .storeUnavailable, .storeLocked, .noSpace,
                .serverRefused, .protocolViolation:
                .failure
            }
    }
}
