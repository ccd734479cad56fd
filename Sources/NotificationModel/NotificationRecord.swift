/// Why a date of a request came to nothing, or that it was skipped.
///
/// The notification centre keeps the newest 100 records of an app for seven days. They outlive the
/// request: one that fires once and was refused is gone, and its record is what is left of it.
public struct NotificationRecord: Hashable, Sendable {
    /// What happened; more may be added, so a reason that is unknown here is kept as it is.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word that travels.
        public let rawValue: String

        /// Makes a reason of its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The notification server refused it for good.
        public static let refused = Reason(rawValue: "refused")
        /// It would have been shown later than it may be.
        public static let late = Reason(rawValue: "late")
        /// The person does not allow the app to notify.
        public static let denied = Reason(rawValue: "denied")
        /// It was skipped on request, and the request goes on with a later date.
        public static let skipped = Reason(rawValue: "skipped")
        /// The store was damaged.
        public static let damaged = Reason(rawValue: "damaged")
        /// Something else, of which the message tells.
        public static let failed = Reason(rawValue: "failed")
    }

    /// The app; nil where the record is about the store itself, or a damaged row names none.
    public var app: ApplicationID?
    /// The identifier of the request; empty where the record is about the store itself.
    public var identifier: String
    /// The title of the request, as it was asked for.
    public var title: String
    /// When it was recorded.
    public var date: Instant
    /// The date that came to nothing; nil where that is not known.
    public var due: Instant?
    /// What happened, for programs.
    public var reason: Reason
    /// What happened, for people: one sentence or a part of one.
    public var message: String

    /// Makes a record.
    public init(
        app: ApplicationID?, identifier: String, title: String = "", date: Instant,
        due: Instant? = nil, reason: Reason, message: String
    ) {
        self.app = app
        self.identifier = identifier
        self.title = title
        self.date = date
        self.due = due
        self.reason = reason
        self.message = message
    }
}
