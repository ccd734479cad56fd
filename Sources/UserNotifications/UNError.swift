/// The domain of Apple's notification errors.
public let UNErrorDomain = "UNErrorDomain"

/// A failure that Apple's framework knows; ``UNServiceError`` is for those it does not know.
///
/// `localizedDescription` says what was tried, what happened and what to do.
public struct UNError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// What went wrong.
    public let code: Code
    // Unchecked Sendable: written once here, and the values come from immutable error dictionaries.
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

    /// The text for people.
    public var errorDescription: String? { localizedDescription }

    /// The text for people.
    public var localizedDescription: String {
        info[NSLocalizedDescriptionKey] as? String ?? code.summary
    }

    /// Whether both errors say the same.
    public static func == (left: UNError, right: UNError) -> Bool {
        left.code == right.code
            && NSDictionary(dictionary: left.info).isEqual(NSDictionary(dictionary: right.info))
    }

    /// Feeds the code, which equal errors share.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
