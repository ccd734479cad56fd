/// The one error of the notification layers: a code for programs, and a sentence for the user.
///
/// The message says what failed, why, and what to do next. The bus interface converts a `BusError`
/// into this error. The library `UserNotifications` translates this error into `UNError`, and the
/// daemon translates it into `org.tocsin.Error.*`.
public struct NotificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// An argument cannot be used.
        case invalidArgument = "InvalidArgument"
        /// The trigger has no date on which it could fire.
        case noDate = "NoDate"
        /// The user or the app's state does not allow notifications.
        case notAllowed = "NotAllowed"
        /// The caller may not speak for this app, or decide for the user.
        case accessDenied = "AccessDenied"
        /// The file of an attachment is missing, unreadable or not a regular file.
        case attachmentInvalid = "AttachmentInvalid"
        /// The type of an attachment is not supported or cannot be determined.
        case attachmentUnrecognized = "AttachmentUnrecognized"
        /// An attachment is larger than its type allows.
        case attachmentTooLarge = "AttachmentTooLarge"
        /// The content of an attachment is not of its type.
        case attachmentCorrupt = "AttachmentCorrupt"
        /// An attachment of an earlier notification is not in the store any more.
        case attachmentNotFound = "AttachmentNotFound"
        /// An attachment could not be copied into the store.
        case attachmentNotStored = "AttachmentNotStored"
        /// The badge is not a number that can be shown.
        case badgeInvalid = "BadgeInvalid"
        /// A limit of the app, of the caller or of the store is reached.
        case limitReached = "LimitReached"
        /// The store cannot be opened, read or written.
        case storeUnavailable = "StoreUnavailable"
        /// Another process has locked the store.
        case storeLocked = "StoreLocked"
        /// The notification centre of this user serves another session bus.
        case storeElsewhere = "StoreElsewhere"
        /// The disk is full.
        case noSpace = "NoSpace"
        /// There is no D-Bus session bus, or it does not answer.
        case noBus = "NoBus"
        /// No notification server is on the bus.
        case noServer = "NoServer"
        /// The notification server refused.
        case serverRefused = "ServerRefused"
        /// The daemon cannot be reached or started.
        case noDaemon = "NoDaemon"
        /// A program failed, or it answered in a way that this version does not understand.
        case protocolViolation = "ProtocolViolation"
        /// The desktop's own settings cannot be changed or opened.
        case noSettings = "NoSettings"
        /// The daemon is older than its caller, and does not know the call.
        case outdatedDaemon = "OutdatedDaemon"
        /// No push distributor runs or can be started.
        case noDistributor = "NoDistributor"
        /// The push distributor refused to register an app, or did not answer.
        case distributorRefused = "DistributorRefused"
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// The attempt, the failure and the remedy, for the user; one line.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Whether the notification centre may later accept the call that it refused with this error.
    package var mayPass: Bool {
        switch code {
        case .noDaemon, .storeLocked, .storeElsewhere, .storeUnavailable, .noSpace, .limitReached:
            true
        default: false
        }
    }
}
