internal import NotificationModel

/// What the tool's exit status says; stable, programs rely on it.
enum ToolStatus: Hashable {
    /// Done; with `--wait`: answered.
    case done
    /// Failed in a way that has no status of its own.
    case failure
    /// The notification was dismissed.
    case dismissed
    /// Nobody answered in time.
    case timedOut
    /// The command line cannot be used.
    case usage
    /// A time, file or value cannot be used.
    case data
    /// There is no notification server.
    case noServer
    /// There is no bus, or the daemon cannot be reached.
    case unreachable
    /// Notifications are not allowed.
    case notAllowed
    /// That of the command which `tocsin run` ran.
    case command(Int32)

    /// The number that the process ends with.
    var rawValue: Int32 {
        switch self {
        case .done: 0
        case .failure: 1
        case .dismissed: 2
        case .timedOut: 3
        case .usage: 64
        case .data: 65
        case .noServer: 69
        case .unreachable: 75
        case .notAllowed: 77
        case .command(let status): status
        }
    }

    /// The status for an error of the notification centre.
    init(_ code: NotificationError.Code) {
        self =
            switch code {
            case .invalidArgument, .noDate, .attachmentInvalid, .attachmentUnrecognized,
                .attachmentTooLarge, .attachmentCorrupt, .attachmentNotFound, .badgeInvalid:
                .data
            case .notAllowed, .accessDenied: .notAllowed
            case .noBus, .noDaemon, .storeElsewhere: .unreachable
            case .noServer: .noServer
            case .attachmentNotStored, .limitReached, .storeUnavailable, .storeLocked, .noSpace,
                .serverRefused, .protocolViolation, .noSettings,
                .outdatedDaemon:
                .failure
            }
    }
}
