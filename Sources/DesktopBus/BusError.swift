/// An error of this program, of the bus, or of the other side, which is the called program.
public struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// No address of a bus is known.
        case noBus
        /// No bus answers at the address, or the bus refuses the connection.
        case connectionFailed
        /// The connection is not open, or was lost during the wait.
        case disconnected
        /// This program's timeout passed, or the other side answered with the error Timeout or
        /// TimedOut.
        ///
        /// If the other side sent the error, `remoteName` is not nil. It is unknown whether the
        /// call took effect.
        case timedOut
        /// The waiting task was cancelled; it is unknown whether the call took effect.
        case cancelled
        /// A value or name breaks the rules of D-Bus; nothing was sent.
        case invalidValue
        /// A value or message is too large or too deep, or has too many descriptors; nothing was
        /// sent.
        case tooLarge
        /// Another connection owns the name.
        case nameUnavailable
        /// The bus gave up waiting for an answer, or the other side left the bus without answering.
        case noReply
        /// No connection owns the name, and the bus has started no owner.
        case serviceUnknown
        /// The bus or the other side forbids the call.
        case accessDenied
        /// This program, the bus or the other side has reached a limit.
        ///
        /// If this program has reached its own limit, `remoteName` is nil.
        case limitsExceeded
        /// The answer has other types than the interface promises, or is too large to be read.
        case unexpectedType
        /// An object is already exported at this path.
        case alreadyExported
        /// Any other error that the other side sent.
        case remote(ErrorName)
        /// A system call failed with this error number.
        case system(Int32)
    }

    /// The kind of failure.
    public let code: Code
    /// Says what was tried, what failed, and what to do.
    ///
    /// The message of an error that another program sent is one line of at most 2,000 scalars.
    public let message: String
    /// The D-Bus name of an error that was received or is to be sent; nil for any other error.
    public let remoteName: ErrorName?
    /// The second string in the body of a D-Bus error, meant for programs; nil if there is none.
    public let detail: String?

    /// Makes an error that this program has found.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        detail = nil
        if case .remote(let name) = code { remoteName = name } else { remoteName = nil }
    }

    /// Makes an error with a D-Bus name, and the code that stands for that name.
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

    /// Whether the bus or systemd sent this error because it could not start the called service.
    ///
    /// The error of systemd names the cause, for example a masked unit.
    package var isOfFailedStart: Bool {
        guard let name = remoteName?.rawValue else { return false }
        return name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || name.hasPrefix("org.freedesktop.systemd1.")
    }

    /// The error's D-Bus name, if it has one, and the message.
    public var description: String {
        guard let remoteName else { return message }
        return "\(remoteName): \(message)"
    }
}

extension BusError {
    static func invalid(_ kind: String, _ text: String, rule: String) -> BusError {
        // Untrusted text may be megabytes long, or contain line breaks that forge lines of a log.
        let shown = text.prefix(80).debugDescription
        return BusError(.invalidValue, "\(shown) is not a valid \(kind): \(rule).")
    }

    static let outOfMemory = BusError(
        .limitsExceeded, "No memory was left for a D-Bus message. Close other programs.")
}
