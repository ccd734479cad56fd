internal import NotificationModel
internal import NotificationSchedule

/// An error that ends the tool, or a warning in the same form.
struct ToolError: Error, Hashable {
    var status: ToolStatus
    var message: String
    /// The lines below the message that point at a mistake in a time or place.
    var detail = ""
    /// The code, if the error was a `NotificationError`.
    var code: NotificationError.Code?
    /// The name of the notification that was not found, for messages; nil for other errors.
    var missing: String?

    init(_ status: ToolStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Translates an error of a lower layer.
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

    init(missing: String, _ message: String) {
        self.init(.failure, message)
        self.missing = missing
    }

    /// Whether the tool got no answer to a call, although the centre may have performed the call.
    var leavesOutcomeUnknown: Bool { code == .noBus || code == .noDaemon }

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
    /// The exit status of the process; `tocsin run` has the status of its command.
    let rawValue: Int32

    /// Done; with `--wait`, the user responded.
    static let done = ToolStatus(rawValue: 0)
    /// Any other failure.
    static let failure = ToolStatus(rawValue: 1)
    /// The notification was dismissed.
    static let dismissed = ToolStatus(rawValue: 2)
    /// The user did not respond in time.
    static let timedOut = ToolStatus(rawValue: 3)
    /// The command line cannot be used.
    static let usage = ToolStatus(rawValue: 64)
    /// A time, file or value cannot be used.
    static let data = ToolStatus(rawValue: 65)
    /// There is no notification server, or it gives no usable answer.
    static let noServer = ToolStatus(rawValue: 69)
    /// There is no bus, or the daemon cannot be reached.
    static let unreachable = ToolStatus(rawValue: 75)
    /// Notifications are not allowed, or the caller may not make this call.
    static let notAllowed = ToolStatus(rawValue: 77)
}

extension ToolStatus {
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
                .serverRefused, .protocolViolation, .noSettings, .outdatedDaemon, .noDistributor,
                .distributorRefused:
                .failure
            }
    }
}
