package import NotificationModel
internal import Synchronization

/// A clock that a test turns: alarms ring when they are passed, and only then.
package final class ManualClock: EngineClock {
    private struct State {
        var reading: ClockReading
        var alarms = ClockAlarms()
        var listener: (@Sendable (ClockEvent) -> Void)?
    }

    private let state: Mutex<State>
    /// Every setting of the alarms, in order.
    package let armed = Recording<ClockAlarms>()

    /// Saturday, 2026-11-21 12:00:00 UTC, one hour after the boot.
    package static let start = Instant(microseconds: 1_795_262_400_000_000)

    package init(
        wall: Instant = ManualClock.start, boot: Int64 = 3_600_000_000,
        bootID: String = "first-boot", timeZone: String = "Europe/Berlin"
    ) {
        state = Mutex(
            State(
                reading: ClockReading(wall: wall, boot: boot, bootID: bootID, timeZone: timeZone)))
    }

    package func now() -> ClockReading { state.withLock { $0.reading } }

    package func start(_ listener: @escaping @Sendable (ClockEvent) -> Void) {
        state.withLock { $0.listener = listener }
    }

    package func arm(_ alarms: ClockAlarms) {
        state.withLock { $0.alarms = alarms }
        armed.append(alarms)
        ring()
    }

    /// What the engine is to be woken for.
    package var alarms: ClockAlarms { state.withLock { $0.alarms } }

    /// Lets time pass on both clocks.
    package func advance(by duration: Duration) {
        let delta = duration.wholeMicroseconds
        state.withLock { state in
            state.reading.wall = state.reading.wall.adding(microseconds: delta)
            state.reading.boot += delta
        }
        ring()
    }

    /// Sets the wall clock, as a person or NTP does.
    package func setWall(_ instant: Instant) {
        report(.wallClockSet) { $0.wall = instant }
        ring()
    }

    /// Moves the person to another zone.
    package func setTimeZone(_ name: String) {
        report(.timeZoneChanged) { $0.timeZone = name }
    }

    /// Tells that the rules of zones are others.
    package func exchangeZoneData() {
        report(.zoneDataChanged) { _ in }
    }

    /// Sleeps, and tells of the end of it before any alarm has rung.
    package func suspend(for duration: Duration) {
        let delta = duration.wholeMicroseconds
        report(.resumed) { reading in
            reading.wall = reading.wall.adding(microseconds: delta)
            reading.boot += delta
        }
    }

    /// Reboots the machine, which was off for a while; for the next engine.
    package func reboot(after duration: Duration, bootID: String = "second-boot") {
        state.withLock { state in
            state.listener = nil
            state.alarms = ClockAlarms()
            state.reading.wall = state.reading.wall.adding(
                microseconds: duration.wholeMicroseconds)
            state.reading.boot = 20_000_000
            state.reading.bootID = bootID
        }
    }

    private func report(_ event: ClockEvent, _ change: (inout ClockReading) -> Void) {
        let listener = state.withLock { state in
            change(&state.reading)
            return state.listener
        }
        listener?(event)
    }

    /// Rings for the alarms that are passed; one that rang is not set any more, as with a timerfd.
    private func ring() {
        let (listener, rings) = state.withLock {
            state -> ((@Sendable (ClockEvent) -> Void)?, Int) in
            guard let listener = state.listener else { return (nil, 0) }
            var rings = 0
            if let wall = state.alarms.wall, wall <= state.reading.wall {
                state.alarms.wall = nil
                rings += 1
            }
            if let boot = state.alarms.boot, boot <= state.reading.boot {
                state.alarms.boot = nil
                rings += 1
            }
            return (listener, rings)
        }
        for _ in 0..<rings { listener?(.alarm) }
    }
}

extension Duration {
    /// Microseconds, the unit of the engine's clocks.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
