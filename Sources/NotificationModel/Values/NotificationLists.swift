/// A pending request, as lists show it.
public struct PendingNotification: Hashable, Sendable {
    /// The progress of a request.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The request waits for its time, or for a server.
        case pending
        /// The notification is on its way to the server.
        case presenting
    }

    /// The app that added the request.
    public var app: ApplicationID
    /// The app's request.
    public var request: NotificationRequest
    /// The progress of the request.
    public var state: State
    /// When the request fires next; nil if the request has no date.
    public var nextFire: Instant?
    /// A number that orders requests with the same date; the lowest number fires first.
    ///
    /// A request that was stored earlier has a lower number.
    public var serial: Int64
    /// The date at which the request would fire without its snooze; nil if it is not snoozed.
    public var regular: Instant?

    /// Makes a pending notification.
    public init(
        app: ApplicationID, request: NotificationRequest, state: State, nextFire: Instant?,
        serial: Int64 = 0, regular: Instant? = nil
    ) {
        self.app = app
        self.request = request
        self.state = state
        self.nextFire = nextFire
        self.serial = serial
        self.regular = regular
    }

    /// The app and the identifier.
    public var key: NotificationKey { NotificationKey(app: app, identifier: request.identifier) }

    /// Whether the left request fires first.
    ///
    /// A request without a date comes last.
    public static func firesEarlier(
        _ left: PendingNotification, _ right: PendingNotification
    ) -> Bool {
        left.firingOrder < right.firingOrder
    }

    package var firingOrder: FiringOrder {
        FiringOrder(date: nextFire ?? Instant(microseconds: .max), serial: serial)
    }
}

/// The position of a pending request: the request with the lower position fires first.
package struct FiringOrder: Comparable, Sendable {
    var date: Instant
    var serial: Int64

    package static func < (left: FiringOrder, right: FiringOrder) -> Bool {
        (left.date, left.serial) < (right.date, right.serial)
    }
}

/// A notification that was delivered.
///
/// The user's response or dismissal, or a removal by an app, takes the notification off the list.
public struct DeliveredNotification: Hashable, Sendable {
    /// The app that added the request.
    public var app: ApplicationID
    /// The request that fired.
    public var request: NotificationRequest
    /// When the notification was delivered.
    public var date: Instant
    /// The date to which a snooze delayed the notification; nil if it was not snoozed.
    public var snoozedUntil: Instant?
    /// The date that was missed, if the notification was delivered more than a minute later; nil if
    /// it was punctual.
    ///
    /// The trigger alone does not tell: after a journey, its dates are those of another time zone.
    public var due: Instant?

    /// The lateness above which a notification counts as late: 60 s, in microseconds.
    package static let tolerance: Int64 = 60_000_000

    /// Makes a delivered notification.
    public init(
        app: ApplicationID, request: NotificationRequest, date: Instant,
        snoozedUntil: Instant? = nil, due: Instant? = nil
    ) {
        self.app = app
        self.request = request
        self.date = date
        self.snoozedUntil = snoozedUntil
        self.due = due
    }

    /// The app and identifier.
    public var key: NotificationKey { NotificationKey(app: app, identifier: request.identifier) }
}

/// A record about a missed or skipped date of a request, or about damage to the store.
///
/// The notification centre keeps a record for seven days. It keeps at most the newest 100 records
/// of an app, and the newest 1,000 records of all apps together. A record outlives its request. If
/// the server refuses a request that fires once, only the record remains.
public struct NotificationRecord: Hashable, Sendable {
    /// The kind of event.
    ///
    /// Later versions may add kinds. This version passes on an unknown word unchanged.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word that stands for the reason in every encoding: D-Bus, JSON and the store.
        public let rawValue: String

        /// Makes a reason from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The notification server refused the notification for good.
        public static let refused = Reason(rawValue: "refused")
        /// The notification would have been shown later than its grace allows.
        public static let late = Reason(rawValue: "late")
        /// The user does not allow the app to notify.
        public static let denied = Reason(rawValue: "denied")
        /// A caller skipped the date; the request continues with a later date.
        public static let skipped = Reason(rawValue: "skipped")
        /// The store was damaged.
        public static let damaged = Reason(rawValue: "damaged")
        /// Another event; the message describes it.
        public static let failed = Reason(rawValue: "failed")
    }

    /// The app; nil if the record is about the store itself, or about a damaged row that names no
    /// app.
    public var app: ApplicationID?
    /// The identifier of the request; empty if the record is about the store itself.
    public var identifier: String
    /// The title of the request, as the app gave it.
    public var title: String
    /// When the event was recorded.
    public var date: Instant
    /// The date that was missed; nil if unknown.
    public var due: Instant?
    /// The kind of event, for programs.
    public var reason: Reason
    /// The event, for the user: a sentence or a part of a sentence.
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

/// Names one notification of one app.
public struct NotificationKey: Hashable, Sendable {
    /// The app.
    public var app: ApplicationID
    /// The request's identifier.
    public var identifier: String

    /// Makes a key.
    public init(app: ApplicationID, identifier: String) {
        self.app = app
        self.identifier = identifier
    }

    /// Whether both keys name the same notification.
    ///
    /// The identifiers are compared by their bytes, as in the store, because Swift treats
    /// canonically equivalent texts as equal. Texts with the same bytes have the same hash value,
    /// so the synthesized hash needs no change.
    public static func == (left: NotificationKey, right: NotificationKey) -> Bool {
        left.app == right.app && left.identifier.hasSameBytes(as: right.identifier)
    }
}

/// The notifications of an app that a call removes.
public enum NotificationSelection: Hashable, Sendable {
    /// The notifications with these identifiers; unknown identifiers are ignored.
    case identifiers([String])
    /// All notifications of the app.
    case all

    /// Splits identifiers into lists that are short enough for one call each.
    ///
    /// If the caller waits for the answer to each call, the whole removal is not atomic: a call of
    /// another task may come between two of its calls.
    package static func parts(of identifiers: [String]) -> [[String]] {
        let most = Limits.requestsOfCall.most
        return stride(from: 0, to: identifiers.count, by: most).map {
            Array(identifiers[$0...].prefix(most))
        }
    }
}

/// A request for one page of a list: which notifications, from which place, and how many.
public struct ListQuery: Hashable, Sendable {
    /// The size of a page if the caller asks for no other size.
    public static let defaultLimit = 256
    /// The maximum number of notifications that a caller may ask for in one page.
    public static let maximumLimit = Limits.page.most

    /// The identifiers of the notifications to list; nil for all notifications.
    ///
    /// The call must name an app, and has at most 1,024 identifiers. Unknown identifiers are
    /// ignored.
    public var identifiers: [String]?
    /// The text that the user typed to name a notification; nil for all notifications.
    ///
    /// The call must name an app. The text may be:
    /// - an identifier, or the beginning of identifiers;
    /// - a position in the list, counted from 1;
    /// - the word `last`.
    ///
    /// The result is one page with the notifications that the text may mean. No other page follows,
    /// because a user cannot choose from such a long list.
    public var abbreviation: String?
    /// The place where the previous page ended; nil for the first page.
    public var after: PageCursor?
    /// The maximum number of notifications in the page.
    ///
    /// The page may have fewer, because a page also ends at 1 MiB.
    public var limit: Int

    /// Asks for a page.
    public init(
        identifiers: [String]? = nil, abbreviation: String? = nil, after: PageCursor? = nil,
        limit: Int = ListQuery.defaultLimit
    ) {
        self.identifiers = identifiers
        self.abbreviation = abbreviation
        self.after = after
        self.limit = limit
    }
}

/// The end of a page of a list: opaque, and valid only for the same list.
public struct PageCursor: RawRepresentable, Hashable, Sendable {
    /// The text that stands for the place in every encoding.
    public let rawValue: String

    /// Makes a cursor from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A page of a list.
public struct ListPage<Element: Sendable>: Sendable {
    /// The notifications of the page.
    ///
    /// A page may be empty although another page follows.
    public var notifications: [Element]
    /// The start of the next page; nil for the last page.
    public var next: PageCursor?

    /// Makes a page.
    public init(notifications: [Element], next: PageCursor?) {
        self.notifications = notifications
        self.next = next
    }
}

extension ListPage: Equatable where Element: Equatable {}

/// A page of pending requests as JSON lines, in no particular order.
public struct PendingLines: Hashable, Sendable {
    /// One object a line.
    ///
    /// A page may be empty although another page follows.
    public var lines: [UInt8]
    /// The beginning of the next page; nil for the last page.
    public var next: PageCursor?

    /// Makes a page.
    public init(lines: [UInt8] = [], next: PageCursor?) {
        self.lines = lines
        self.next = next
    }
}

/// A date that a repeating request skips, and the date on which it continues.
public struct SkippedOccurrence: Hashable, Sendable {
    /// The date that the request skips.
    public var skipped: Instant
    /// The date on which the request fires instead.
    public var next: Instant

    /// Makes the pair of dates.
    public init(skipped: Instant, next: Instant) {
        self.skipped = skipped
        self.next = next
    }
}
