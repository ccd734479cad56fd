public import NotificationModel

/// What happens to the machine of a simulation.
public struct MachineEvent: Hashable, Sendable {
    /// What kind of event it is.
    public enum Kind: Hashable, Sendable {
        /// It is suspended for this many microseconds.
        case suspend(Int64)
        /// The person is in another zone.
        case timeZone(String)
        /// The wall clock is set.
        case wallClock(Instant)
    }

    /// When it happens, by the wall clock.
    public var instant: Instant
    /// What it is.
    public var kind: Kind

    /// Makes an event.
    public init(at instant: Instant, _ kind: Kind) {
        self.instant = instant
        self.kind = kind
    }
}
