/// A failure that Apple's framework has no code for, because it belongs to the Linux desktop.
///
/// `localizedDescription` says what was tried, what happened and what to do.
public struct UNServiceError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kind of failure; a raw value is never reused.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// An argument has an unusable value.
        case invalidArgument = 1
        /// A limit of the app, of the caller or of the store is reached.
        case limitReached = 2
        /// The store cannot be opened, read or written.
        case storeUnavailable = 3
        /// Another process uses the store.
        case storeLocked = 4
        /// The disk is full.
        case noSpace = 5
        /// There is no D-Bus session bus, or it does not answer.
        case noBus = 6
        /// No notification server is on the bus.
        case noServer = 7
        /// The notification server refused the notification.
        case serverRefused = 8
        /// The daemon cannot be reached or started.
        case noDaemon = 9
        /// This version does not understand the daemon's answer.
        case protocolViolation = 10
        /// The desktop's own settings cannot be changed or opened.
        case noSettings = 12
        /// The daemon is older than this version, and does not know the call.
        case outdatedDaemon = 13
        /// The user's notification centre serves another session bus, which cannot be reached.
        case storeElsewhere = 14
        /// No push distributor runs or can be started.
        case noDistributor = 15
        /// The push distributor refused or failed to register the app.
        case distributorRefused = 16
    }

    /// The kind of failure.
    public let code: Code
    /// The attempt, the failure and the remedy, in one line.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The domain of these errors.
    public static var errorDomain: String { "org.tocsin.ServiceErrorDomain" }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The message, under Foundation's key.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }

    /// The message.
    public var errorDescription: String? { message }
}
