internal import NotificationModel
internal import NotificationSchedule

/// The error that ends the tool: a line for people, lines that point at a mistake, a status.
struct ToolError: Error, Hashable {
    var status: ToolStatus
    var message: String
    var detail = ""
    /// The code of the notification centre's refusal, if it refused.
    var code: NotificationError.Code?
    /// The name that no lookup found, if that is the reason.
    var missing: String?

    init(_ status: ToolStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: NotificationError) {
        self.init(ToolStatus(error.code), error.message)
        code = error.code
    }

    /// A notification that is not there, by the words that the user typed.
    init(missing: String, _ message: String) {
        self.init(.failure, message)
        self.missing = missing
    }

    /// A time that cannot be used, with the caret under the mistake.
    init(_ error: TimeTextError) {
        self.init(.data, error.description)
        detail = error.pointer
    }

    /// The text for standard error.
    var text: String {
        let line = "tocsin: " + message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return detail.isEmpty ? line : line + "\n" + detail
    }
}

/// An error of a lower layer that ends the tool with a message and a status of its own.
protocol ToolErrorSource: Error {
    /// The error as the tool reports it.
    var toolError: ToolError { get }
}

extension NotificationError: ToolErrorSource {
    var toolError: ToolError { ToolError(self) }
}

extension TimeTextError: ToolErrorSource {
    var toolError: ToolError { ToolError(self) }
}

/// Runs calls of a lower layer and throws their errors as the tool's.
@discardableResult
func translatingErrors<Value, Failure: ToolErrorSource>(
    _ work: () throws(Failure) -> Value
) throws(ToolError) -> Value {
    do throws(Failure) { return try work() } catch { throw error.toolError }
}

/// Awaits calls of a lower layer and throws their errors as the tool's.
@discardableResult
func translatingErrors<Value, Failure: ToolErrorSource>(
    _ work: () async throws(Failure) -> Value
) async throws(ToolError) -> Value {
    do throws(Failure) { return try await work() } catch { throw error.toolError }
}

/// The tool's exit status; programs rely on it, so it is stable.
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
    /// The status of the command that `tocsin run` ran.
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
