import Glibc

/// Nanoseconds of CLOCK_MONOTONIC.
enum MonotonicClock {
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// A duration longer than any computer runs; adding it to a moment does not overflow.
    private static let farAway: Duration = .seconds(1 << 32)

    /// The moment after a duration, counted from now.
    ///
    /// A duration above `farAway` becomes `farAway`, because a larger sum could overflow.
    static func moment(after duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .zero), farAway).components
        return now + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
