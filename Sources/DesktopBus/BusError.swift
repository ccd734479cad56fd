/// A failure between this program and the bus, or an error that the other side answered.
public struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// No address of a bus is known.
        case noBus
        /// The address leads nowhere, or the other end refused the connection.
        case connectionFailed
        /// The connection is not open, or was lost while waiting.
        case disconnected
        /// Our own timeout passed; whether the call was done is unknown.
        case timedOut
        /// The waiting task was cancelled; whether the call was done is unknown.
        case cancelled
        /// A value or name breaks the rules of D-Bus; nothing was sent.
        case invalidValue
        /// A value or message is larger than D-Bus allows; nothing was sent.
        case tooLarge
        /// Another connection owns the name.
        case nameUnavailable
        /// The bus gave up waiting for an answer, or the other side left without one.
        case noReply
        /// No connection owns the name, and the bus can start no owner.
        case serviceUnknown
        /// The bus or the other side forbids it.
        case accessDenied
        /// A queue or count is full: ours (then `remoteName` is nil), the bus's or the other side's.
        case limitsExceeded
        /// The answer has other types than the interface promises.
        case unexpectedType
        /// An object is already exported at this path.
        case alreadyExported
        /// Any other error of the other side.
        case remote(ErrorName)
        /// The system refused, with this error number.
        case system(Int32)
    }

    /// The kind of failure.
    public let code: Code
    /// The attempt, the failure and the remedy.
    public let message: String
    /// The name of an error that came over the bus; nil for any other.
    public let remoteName: ErrorName?
    /// The second text of the error message, for programs; nil for a message with one text.
    public let detail: String?

    /// Makes an error of this side.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        detail = nil
        if case .remote(let name) = code { remoteName = name } else { remoteName = nil }
    }

    /// Makes the error that an answer names, with the fitting code.
    public static func remote(
        _ name: ErrorName, _ message: String, detail: String? = nil
    ) -> BusError {
        BusError(name: name, message: message, detail: detail)
    }

    private init(name: ErrorName, message: String, detail: String?) {
        code = Self.codes[name.rawValue] ?? .remote(name)
        self.message = message
        self.detail = detail
        remoteName = name
    }

    private static let codes: [String: Code] = [
        "org.freedesktop.DBus.Error.ServiceUnknown": .serviceUnknown,
        "org.freedesktop.DBus.Error.NameHasNoOwner": .serviceUnknown,
        "org.freedesktop.DBus.Error.AccessDenied": .accessDenied,
        "org.freedesktop.DBus.Error.LimitsExceeded": .limitsExceeded,
        "org.freedesktop.DBus.Error.NoReply": .noReply,
        "org.freedesktop.DBus.Error.Timeout": .timedOut,
        "org.freedesktop.DBus.Error.TimedOut": .timedOut,
    ]

    /// The message, after the error's name if there is one.
    public var description: String {
        guard let remoteName else { return message }
        return "\(remoteName): \(message)"
    }
}

extension BusError {
    static func invalid(_ kind: String, _ text: String, rule: String) -> BusError {
        // Untrusted text may be megabytes, or forge lines of a log.
        let shown = text.prefix(80).debugDescription
        return BusError(.invalidValue, "\(shown) is not a valid \(kind): \(rule).")
    }

    static let outOfMemory = BusError(
        .limitsExceeded, "No memory was left for a D-Bus message. Close other programs.")
}
