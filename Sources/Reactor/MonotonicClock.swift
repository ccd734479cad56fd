import Glibc

/// Nanoseconds of CLOCK_MONOTONIC.
enum MonotonicClock {
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The moment `duration` from now; a distant one is the end of time instead of a trap.
    static func moment(after duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? now : .max }
        let (length, tooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        if tooLong { return .max }
        let (moment, tooFar) = now.addingReportingOverflow(max(length, 0))
        return tooFar ? .max : moment
    }
}
