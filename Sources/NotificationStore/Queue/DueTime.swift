package import NotificationModel

/// When a request is due.
///
/// One that counts on the boot-time clock also carries the wall time it is expected to mean, by
/// which it goes on after a reboot.
package struct DueTime: Hashable, Sendable {
    package var wall: Instant
    package var boot: Int64?
    /// The person's zone, where the date was computed by it and floats with it.
    package var zone: String?
    /// The date of a repeating request that fired or was skipped last: it does not come again,
    /// though the clock is set back or the zone changes.
    package var fired: Instant?

    /// Makes a due time.
    package init(wall: Instant, boot: Int64? = nil, zone: String? = nil, fired: Instant? = nil) {
        self.wall = wall
        self.boot = boot
        self.zone = zone
        self.fired = fired
    }

    /// So long after now, on both clocks.
    package init(after delta: Int64, _ now: ClockReading) {
        let then = now.adding(microseconds: delta)
        self.init(wall: then.wall, boot: then.boot)
    }

    /// The same later; what has fired stays.
    package func adding(microseconds delta: Int64) -> DueTime {
        DueTime(
            wall: wall.adding(microseconds: delta), boot: boot.map { $0.saturatingAdd(delta) },
            zone: zone, fired: fired)
    }

    /// A time that no clock reaches.
    package static let never = DueTime(wall: Instant(microseconds: .max))

    /// The wall time that it means now, even if the wall clock was set since.
    package func expected(_ now: ClockReading) -> Instant {
        boot.map { now.wall.adding(microseconds: $0.saturatingSubtract(now.boot)) } ?? wall
    }
}

extension Instant {
    /// 2020-01-01: earlier dates come from a clock that was not set since it lost its power.
    package static let firstPlausible = Instant(microseconds: 1_577_836_800_000_000)
}
