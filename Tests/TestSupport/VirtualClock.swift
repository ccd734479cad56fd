package import NotificationModel
internal import Reactor

/// A wall clock and a boot clock, which a test moves.
///
/// It owns the reading of both clocks, the zone and the alarms. It promises that both clocks stand
/// still until a test moves them, and that an alarm fires only after its time. It never reads the
/// machine's clocks.
///
/// A test of a whole year takes seconds, and the engine runs unchanged.
package final class VirtualClock: EngineClock {
    private struct State {
        var reading: ClockReading
        var alarms = ClockAlarms()
        var listener: (@Sendable (ClockEvent) -> Void)?
    }

    private let state: Locked<State>

    /// Makes a clock with this reading.
    package init(_ reading: ClockReading) {
        state = Locked(State(reading: reading))
    }

    // MARK: EngineClock

    /// The current reading of both clocks.
    package func now() -> ClockReading { state.withLock { $0.reading } }

    package func start(_ listener: @escaping @Sendable (ClockEvent) -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// Sets both alarms; an alarm in the past fires immediately.
    package func arm(_ alarms: ClockAlarms) {
        state.withLock { $0.alarms = alarms }
        ring()
    }

    // MARK: Moving the clocks

    /// The alarms that the engine has set.
    package var alarms: ClockAlarms { state.withLock { $0.alarms } }

    /// The wall-clock time of the next alarm if no test sets the clock; nil if no alarm is set.
    package var nextAlarm: Instant? {
        state.withLock { state in
            let now = state.reading
            let boot = state.alarms.boot.map { now.wall.adding(microseconds: $0 - now.boot) }
            return [state.alarms.wall, boot].compactMap { $0 }.min()
        }
    }

    /// Lets time pass on both clocks; alarms that have passed fire at the end.
    package func advance(microseconds delta: Int64) {
        state.withLock { $0.reading.pass(delta) }
        ring()
    }

    /// Lets time pass until the wall clock shows `wall`; a clock never goes back.
    package func advance(to wall: Instant) {
        advance(microseconds: max(0, wall.microseconds(since: now().wall)))
    }

    /// Suspends the machine for a while: both clocks advance, and no alarm fires before the end.
    ///
    /// With `isTold`, the clock reports the end of the suspension. It then fires the passed alarms
    /// only when time passes again.
    package func suspend(microseconds delta: Int64, isTold: Bool = false) {
        state.withLock { state in
            state.reading.pass(delta)
            state.reading.suspended += delta
        }
        if isTold { report(.resumed) { _ in } } else { ring() }
    }

    /// Sets the wall clock, as the user or NTP does.
    package func setWall(_ wall: Instant) {
        report(.wallClockSet) { $0.wall = wall }
        ring()
    }

    /// Moves the user to another zone.
    package func setTimeZone(_ name: String) {
        report(.timeZoneChanged) { $0.timeZone = name }
    }

    /// Reports that the zone rules have changed.
    package func exchangeZoneData() {
        report(.zoneDataChanged) { _ in }
    }

    /// Reboots the machine after some time off; the next engine starts in the new boot.
    package func reboot(offFor delta: Int64, bootID: String) {
        state.withLock { state in
            state.listener = nil
            state.alarms = ClockAlarms()
            state.reading.pass(delta)
            // Some seconds pass before the first program of a session runs.
            state.reading.boot = 20_000_000
            state.reading.suspended = 0
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

    /// Fires and clears the passed alarms; a timerfd also fires only once.
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

extension ClockReading {
    fileprivate mutating func pass(_ delta: Int64) {
        self = adding(microseconds: delta)
    }
}
