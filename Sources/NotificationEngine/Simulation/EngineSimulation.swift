public import NotificationModel
internal import Reactor

/// Runs the shipped engine over a store, with a clock that is turned from alarm to alarm.
///
/// Nothing is shown, and nobody answers. The store is changed: give it a copy.
public struct EngineSimulation: Sendable {
    /// Where the store lies.
    public var layout: StoreLayout
    /// What the clocks show at the start.
    public var start: ClockReading
    /// Where the simulation ends; that instant is not part of it.
    public var end: Instant

    /// Makes a simulation of the store as it is.
    public init(layout: StoreLayout, start: ClockReading, end: Instant) {
        self.layout = layout
        self.start = start
        self.end = end
    }

    /// Makes every request what it is like at the start, where that is another time than now.
    public func carry(from now: Instant) async throws(NotificationError) {
        let store = try CenterStore(
            layout: layout, bootID: start.bootID, limits: Self.limits, isDurable: false,
            onSchedule: { _ in })
        defer { store.close() }
        try await store.carry(to: start, from: now)
    }

    /// Runs it, suspended by a plan or never; each ring is heard when it happens, until `hear`
    /// returns false.
    public func run(
        suspending plan: SuspendPlan?, hear: @Sendable (SimulatedRing) -> Bool
    ) async throws(NotificationError) {
        guard let plan else { return try await run(EmptyCollection(), hear: hear) }
        try await run(plan.events(from: start.wall, timeZone: start.timeZone), hear: hear)
    }

    /// Runs it; the events come in their order, each not before the one before it has ended.
    public func run(
        _ events: some Sequence<MachineEvent>, hear: @Sendable (SimulatedRing) -> Bool
    ) async throws(NotificationError) {
        let reactor: Reactor
        do throws(ReactorError) {
            reactor = try Reactor(name: "simulation")
        } catch {
            throw NotificationError(error)
        }
        defer { reactor.stop() }
        let clock = VirtualClock(start)
        let ended = Locked<[Settlement]>([])
        var configuration = EngineConfiguration(
            layout: layout, hosting: "daemon", version: "simulation")
        configuration.limits = Self.limits
        configuration.isDurable = false
        configuration.settled = { settled in ended.withLock { $0 += settled } }
        let engine = try await CenterEngine.start(
            configuration, presenter: SimulatedPresenter(reactor: reactor), clock: clock,
            reactor: reactor)
        await engine.untilAtRest()
        var machine = SimulatedMachine(
            clock: clock, events: events, skipped: try await engine.store.skippedDates(from: start))
        repeat {
            let settled = ended.withLock { $0.take() }
            // A sleep may end after the end.
            let rings = machine.rings(of: settled).filter { $0.fired < end }
            guard rings.allSatisfy(hear) else { return await engine.stop() }
        } while await machine.goOn(before: end, engine)
        _ = machine.rest(before: end).allSatisfy(hear)
        await engine.stop()
    }

    private static var limits: StoreLimits {
        var limits = StoreLimits()
        (limits.reserve, limits.delivered) = (0, 1)
        return limits
    }
}

extension [Settlement] {
    fileprivate mutating func take() -> [Settlement] {
        defer { self = [] }
        return self
    }
}
