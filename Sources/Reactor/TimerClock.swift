/// The clock a timer counts on.
public enum TimerClock: Sendable, Hashable {
    /// Wall time (CLOCK_REALTIME): follows the clock when it is set, and tells of it.
    case realtime
    /// Time since boot, sleep included (CLOCK_BOOTTIME).
    case boottime
}

/// An event that a timer reports.
public enum TimerEvent: Sendable, Hashable {
    /// The moment it was armed for has come.
    case expired
    /// The wall clock was set: every moment computed from it is to be computed again.
    case clockSet
}
