/// The clock of a timer.
public enum TimerClock: Sendable, Hashable {
    /// Wall time (CLOCK_REALTIME); if the clock is set, the timer follows the clock and reports
    /// `clockSet`.
    case realtime
    /// Time since boot, sleep included (CLOCK_BOOTTIME).
    case boottime
}

/// An event that a timer reports.
public enum TimerEvent: Sendable, Hashable {
    /// The instant for which the timer was armed has come.
    case expired
    /// The wall clock was set: recompute every instant that depends on it.
    case clockSet
}
