import NotificationEngine
package import NotificationModel
package import TestSupport

/// A `VirtualClock` that a test moves by durations, with a record of its alarms.
package final class ManualClock: EngineClock {
    private let clock: VirtualClock
    /// The alarms of each call of `arm`, in order.
    package let armed = Recording<ClockAlarms>()

    /// Saturday, 2026-11-21 12:00:00 UTC, one hour after the boot.
    package static let start = Instant(microseconds: 1_795_262_400_000_000)

    package init(
        wall: Instant = ManualClock.start, boot: Int64 = 3_600_000_000,
        bootID: String = "first-boot", timeZone: String = "Europe/Berlin"
    ) {
        clock = VirtualClock(
            ClockReading(wall: wall, boot: boot, bootID: bootID, timeZone: timeZone))
    }

    package func now() -> ClockReading { clock.now() }

    package func start(_ listener: @escaping @Sendable (ClockEvent) -> Void) {
        clock.start(listener)
    }

    package func arm(_ alarms: ClockAlarms) {
        clock.arm(alarms)
        armed.append(alarms)
    }

    /// The alarms that the engine has set.
    package var alarms: ClockAlarms { clock.alarms }

    /// Advances the wall clock and the boot clock.
    package func advance(by duration: Duration) {
        clock.advance(microseconds: duration.wholeMicroseconds)
    }

    /// Sets the wall clock, as the user or NTP does.
    package func setWall(_ instant: Instant) { clock.setWall(instant) }

    /// Moves the user to another zone.
    package func setTimeZone(_ name: String) { clock.setTimeZone(name) }

    /// Reports that the zone rules have changed.
    package func exchangeZoneData() { clock.exchangeZoneData() }

    /// Suspends the machine, and reports the resume before any alarm fires.
    package func suspend(for duration: Duration) {
        clock.suspend(microseconds: duration.wholeMicroseconds, isTold: true)
    }

    /// Reboots the machine after some time off; the next engine starts on the new boot.
    package func reboot(after duration: Duration, bootID: String = "second-boot") {
        clock.reboot(offFor: duration.wholeMicroseconds, bootID: bootID)
    }
}
