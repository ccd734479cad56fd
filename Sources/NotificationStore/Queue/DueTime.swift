package import NotificationModel

/// When a request is due.
///
/// If a request follows the boot-time clock, `boot` is the due time on that clock, in microseconds,
/// and `wall` is the expected wall time. After a reboot the request follows `wall`.
package struct DueTime: Hashable, Sendable {
    package var wall: Instant
    package var boot: Int64?
    /// The user's time zone if the date follows that zone; otherwise nil.
    package var zone: String?
    /// The date on which a repeating request last fired or was skipped.
    ///
    /// The request does not fire on this date again, even if the clock or the time zone changes.
    package var fired: Instant?

    package init(wall: Instant, boot: Int64? = nil, zone: String? = nil, fired: Instant? = nil) {
        self.wall = wall
        self.boot = boot
        self.zone = zone
        self.fired = fired
    }

    /// The time that is `delta` microseconds after now, on both clocks.
    package init(after delta: Int64, _ now: ClockReading) {
        let then = now.adding(microseconds: delta)
        self.init(wall: then.wall, boot: then.boot)
    }

    /// The due time that is `delta` microseconds later; `fired` is unchanged.
    package func adding(microseconds delta: Int64) -> DueTime {
        DueTime(
            wall: wall.adding(microseconds: delta), boot: boot.map { $0.saturatingAdd(delta) },
            zone: zone, fired: fired)
    }

    /// A time that no clock reaches.
    package static let never = DueTime(wall: Instant(microseconds: .max))

    /// The microseconds until the request is due; zero or less if the request is due already.
    package func remaining(_ now: ClockReading) -> Int64 {
        boot.map { $0.saturatingSubtract(now.boot) } ?? wall.microseconds(since: now.wall)
    }

    /// The wall time at which the request is due, computed from `boot` if `boot` is not nil.
    package func expected(_ now: ClockReading) -> Instant {
        boot.map { now.wall.adding(microseconds: $0.saturatingSubtract(now.boot)) } ?? wall
    }
}

extension Instant {
    /// 2020-01-01: earlier dates come from a clock that was never set after a loss of power.
    package static let firstPlausible = Instant(microseconds: 1_577_836_800_000_000)
}
