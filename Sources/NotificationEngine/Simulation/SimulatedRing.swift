public import NotificationModel

/// What becomes of one date in a simulation, and why.
public struct SimulatedRing: Hashable, Sendable {
    /// How it ends.
    public enum Outcome: Hashable, Sendable {
        /// It is shown.
        case rings
        /// It is late, and in the list only: one popup, a ring of its own, stands for all of them.
        case listed
        /// The person skipped it.
        case skipped
        /// It is not shown, for this reason.
        case refused(String)
    }

    /// The app that asked for it.
    public var app: ApplicationID
    /// The request's identifier.
    public var identifier: String
    /// The title.
    public var title: String
    /// How it ends.
    public var outcome = Outcome.rings
    /// When it is due.
    public var due: Instant
    /// When it happens: later than it is due where the machine sleeps.
    public var fired: Instant
    /// The IANA name of the zone by which it is due.
    public var timeZone: String
    /// Why it is due at another time than its rule says.
    public var shift: String?
    /// When the machine was suspended, where it is late for that reason.
    public var suspendedAt: Instant?
    /// How many later dates of it were missed as well, and are merged into this one.
    public var missed = 0

    init(
        _ claimed: ClaimedRequest, due: Instant, fired: Instant, timeZone: String
    ) {
        app = claimed.app
        identifier = claimed.request.identifier
        title = claimed.request.content.title
        self.due = due
        self.fired = fired
        self.timeZone = timeZone
    }
}
