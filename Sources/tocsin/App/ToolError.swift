internal import NotificationModel
internal import NotificationSchedule

/// The error that ends the tool: a line for the user, lines that point at a mistake, a status.
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

    /// The tool's form of a lower layer's error; a mistake in a time gets a caret below it.
    init(_ error: any Error) {
        switch error {
        case let error as ToolError: self = error
        case let error as TimeTextError:
            self.init(.data, error.description)
            detail = error.pointer
        case let error as NotificationError:
            self.init(ToolStatus(error.code), error.message)
            code = error.code
        default: self.init(.failure, "\(error)")
        }
    }

    /// The error for a notification that is not found, named by the user's words.
    init(missing: String, _ message: String) {
        self.init(.failure, message)
        self.missing = missing
    }

    /// The text for standard error.
    var text: String {
        let line = "tocsin: " + message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return detail.isEmpty ? line : line + "\n" + detail
    }
}

// The errors that the tool itself finds, by exit status.
extension ToolError {
    static func failure(_ message: String) -> ToolError { ToolError(.failure, message) }
    static func usage(_ message: String) -> ToolError { ToolError(.usage, message) }
    static func data(_ message: String) -> ToolError { ToolError(.data, message) }
    static func noServer(_ message: String) -> ToolError { ToolError(.noServer, message) }
    static func unreachable(_ message: String) -> ToolError { ToolError(.unreachable, message) }
}

/// Runs calls of a lower layer and rethrows their errors as `ToolError`.
@discardableResult
func translatingErrors<Value>(_ work: () throws -> Value) throws(ToolError) -> Value {
    do { return try work() } catch { throw ToolError(error) }
}

/// The tool's exit status; programs rely on it, so it is stable.
struct ToolStatus: RawRepresentable, Hashable {
    /// The number that the process ends with; `tocsin run` ends with that of its command.
    let rawValue: Int32

    /// Done; with `--wait`, the user responded.
    static let done = ToolStatus(rawValue: 0)
    /// Failed in a way that has no other status.
    static let failure = ToolStatus(rawValue: 1)
    /// The notification was dismissed.
    static let dismissed = ToolStatus(rawValue: 2)
    /// The user did not respond in time.
    static let timedOut = ToolStatus(rawValue: 3)
    /// The command line cannot be used.
    static let usage = ToolStatus(rawValue: 64)
    /// A time, file or value cannot be used.
    static let data = ToolStatus(rawValue: 65)
    /// There is no notification server.
    static let noServer = ToolStatus(rawValue: 69)
    /// There is no bus, or the daemon cannot be reached.
    static let unreachable = ToolStatus(rawValue: 75)
    /// Notifications are not allowed.
    static let notAllowed = ToolStatus(rawValue: 77)
}

extension ToolStatus {
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
