/// The domain of Apple's notification errors.
public let UNErrorDomain = "UNErrorDomain"

/// A failure that has a code in Apple's framework; ``UNServiceError`` is for all other failures.
///
/// The notification centre's errors say in `localizedDescription` what was tried, what failed and
/// what to do. Every code is one of Apple's.
public struct UNError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// The kind of failure.
    public let code: Code
    // Unchecked Sendable: `info` never changes, and by convention its values are immutable.
    private let info: [String: Any]

    /// Makes an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        info = userInfo
    }

    /// The domain of Apple's notification errors.
    public static var errorDomain: String { UNErrorDomain }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The details, with the text that ``localizedDescription`` returns.
    public var errorUserInfo: [String: Any] {
        info.merging([NSLocalizedDescriptionKey: code.summary]) { given, _ in given }
    }

    /// The details, with the text that ``localizedDescription`` returns.
    public var userInfo: [String: Any] { errorUserInfo }

    /// The text for the user.
    public var errorDescription: String? { localizedDescription }

    /// The text for the user.
    public var localizedDescription: String {
        info[NSLocalizedDescriptionKey] as? String ?? code.summary
    }

    /// Whether both errors have the same code and details.
    public static func == (left: UNError, right: UNError) -> Bool {
        left.code == right.code
            && NSDictionary(dictionary: left.info).isEqual(NSDictionary(dictionary: right.info))
    }

    /// Hashes only the code: equal errors have the same code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension UNError {
    /// The kind of failure; raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Hashable, Sendable {
        /// The app may not post notifications.
        case notificationsNotAllowed = 1
        /// The attachment's URL is no file URL, or the file is missing or cannot be opened.
        case attachmentInvalidURL = 100
        /// The attachment's type is not supported or cannot be determined.
        case attachmentUnrecognizedType = 101
        /// The attachment is larger than its type allows.
        case attachmentInvalidFileSize = 102
        /// The attachment is marked as stored, but the store does not have it.
        case attachmentNotInDataStore = 103
        /// The attachment could not be read, or copied into the store.
        case attachmentMoveIntoDataStoreFailed = 104
        /// The attachment cannot be decoded.
        case attachmentCorrupt = 105
        /// The trigger has no date on which it could fire.
        case notificationInvalidNoDate = 1400
        /// The request has no content.
        case notificationInvalidNoContent = 1401
        /// The content provider's class is not one that the system defines.
        case contentProvidingObjectNotAllowed = 1500
        /// The content provider is not valid.
        case contentProvidingInvalid = 1501
        /// The badge is not a valid number.
        case badgeInputInvalid = 1600

        /// The text of an error that was made without a text.
        var summary: String {
            switch self {
            case .notificationsNotAllowed: "Notifications are not allowed for this application"
            case .attachmentInvalidURL: "Invalid attachment file URL"
            case .attachmentUnrecognizedType: "Unrecognized attachment file type"
            case .attachmentInvalidFileSize: "Invalid attachment file size"
            case .attachmentNotInDataStore: "Attachment file not in the data store"
            case .attachmentMoveIntoDataStoreFailed:
                "Attachment file could not be moved into the data store"
            case .attachmentCorrupt: "Attachment file is corrupt"
            case .notificationInvalidNoDate: "The trigger has no date on which it could fire"
            case .notificationInvalidNoContent: "The request has no content"
            case .contentProvidingObjectNotAllowed: "The content provider is not allowed"
            case .contentProvidingInvalid: "The content provider is not valid"
            case .badgeInputInvalid: "The badge count is not valid"
            }
        }
    }

    /// The app may not post notifications.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// The attachment's URL is no file URL, or the file is missing or cannot be opened.
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    /// The attachment's type is not supported or cannot be determined.
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    /// The attachment is larger than its type allows.
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    /// The attachment is marked as stored, but the store does not have it.
    public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
    /// The attachment could not be read, or copied into the store.
    public static var attachmentMoveIntoDataStoreFailed: Code {
        .attachmentMoveIntoDataStoreFailed
    }
    /// The attachment cannot be decoded.
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    /// The trigger has no date on which it could fire.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    /// The request has no content.
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    /// The content provider's class is not one that the system defines.
    public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
    /// The content provider is not valid.
    public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
    /// The badge is not a valid number.
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

/// Lets `catch UNError.attachmentInvalidURL` match an error by its code.
public func ~= (code: UNError.Code, error: any Error) -> Bool {
    (error as? UNError)?.code == code
}
