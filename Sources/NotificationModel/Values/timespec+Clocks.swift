package import Glibc

extension timespec {
    /// The current time of a clock of the system (clock_gettime(2)).
    package static func now(on clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// The time in microseconds, rounded down.
    package var microseconds: Int64 { Int64(tv_sec) * 1_000_000 + Int64(tv_nsec) / 1_000 }
}
