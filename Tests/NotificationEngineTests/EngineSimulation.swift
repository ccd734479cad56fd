import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport

/// Runs the shipped engine over a store, with a clock moved from alarm to alarm.
///
/// Nothing is shown to a user, and no response comes.
struct EngineSimulation {
    /// The location of the store.
    var layout: StoreLayout
    /// The readings of the clocks at the start.
    var start: ClockReading
    /// The end of the simulation; that instant is not part of it.
    var end: Instant

    /// Runs the simulation, and reports each outcome to `hear` until `hear` returns false.
    ///
    /// `events` are in order, and an event begins only after the previous event has ended.
    func run(
        _ events: [MachineEvent], hear: @Sendable (SimulatedRing) -> Bool
    ) async throws {
        let reactor = Reactor.started("simulation")
        defer { reactor.stop() }
        let clock = VirtualClock(start)
        let ended = Locked<[Settlement]>([])
        var configuration = EngineConfiguration(
            layout: layout, hosting: "daemon", version: "simulation", zones: .sample)
        (configuration.limits.reserve, configuration.limits.delivered) = (0, 1)
        configuration.isDurable = false
        configuration.settled = { settled in ended.withLock { $0 += settled } }
        let engine = try await CenterEngine.start(
            configuration, presenter: SimulatedPresenter(), clock: clock,
            reactor: reactor)
        await engine.untilAtRest()
        var machine = SimulatedMachine(clock: clock, events: events)
        repeat {
            let settled = ended.withLock { settled in
                defer { settled = [] }
                return settled
            }
            // A sleep may end after the end of the simulation.
            let rings = settled.compactMap(machine.ring).filter { $0.fired < end }
            guard rings.allSatisfy(hear) else { break }
        } while await machine.goOn(before: end, engine)
        await engine.stop()
    }
}

/// An event of the simulated machine.
struct MachineEvent {
    enum Kind {
        /// The machine is suspended for this many microseconds.
        case suspend(Int64)
        /// The user has moved to another zone.
        case timeZone(String)
    }

    /// The event's time on the wall clock.
    var instant: Instant
    var kind: Kind

    init(at instant: Instant, _ kind: Kind) {
        (self.instant, self.kind) = (instant, kind)
    }
}

/// The outcome of one date in a simulation, and its reason.
struct SimulatedRing {
    /// The ways in which a date can end.
    enum Outcome: Hashable {
        /// The request is shown.
        case rings
        /// The request is late and appears only in the list.
        ///
        /// One popup, with a separate record, summarises all such requests.
        case listed
        /// The request is not shown, for this reason.
        case refused(String)
    }

    /// The request's identifier and title.
    var identifier, title: String
    var outcome = Outcome.rings
    /// The time at which the request is due.
    var due: Instant
    /// The time of the outcome, later than `due` if the machine sleeps.
    var fired: Instant
    /// The start of the suspension that made the request late, if any.
    var suspendedAt: Instant?
    /// The number of later missed dates that the engine merged into this date.
    var missed = 0
}

/// The simulated machine: its events, and their effects on due requests.
private struct SimulatedMachine {
    private let clock: VirtualClock
    private var events: ArraySlice<MachineEvent>
    private var sleep: Range<Instant>?

    init(clock: VirtualClock, events: [MachineEvent]) {
        self.clock = clock
        self.events = events[...]
    }

    /// Advances the clock to the next event or alarm, and lets the engine work.
    ///
    /// Returns false if there is no event or alarm before the end.
    mutating func goOn(before end: Instant, _ engine: CenterEngine) async -> Bool {
        let alarm = clock.nextAlarm
        if let event = events.first, event.instant < alarm ?? .latest {
            guard event.instant < end else { return false }
            events.removeFirst()
            clock.advance(to: event.instant)
            happen(event.kind)
            // Do not report a sleep in which no request was due.
            if case .suspend = event.kind, clock.nextAlarm == alarm { return true }
        } else {
            guard let alarm, alarm < end else { return false }
            clock.advance(to: alarm)
        }
        await engine.untilAtRest()
        return true
    }

    private mutating func happen(_ kind: MachineEvent.Kind) {
        switch kind {
        case .suspend(let length):
            let begin = clock.now().wall
            clock.suspend(microseconds: length)
            sleep = begin..<clock.now().wall
        case .timeZone(let name): clock.setTimeZone(name)
        }
    }

    /// Returns the outcome of a delivery; nil if the request was requeued.
    func ring(of settlement: Settlement) -> SimulatedRing? {
        let request = settlement.claimed.request
        let due = settlement.claimed.due
        var ring = SimulatedRing(
            identifier: request.identifier, title: request.content.title, due: due.wall,
            fired: settlement.date)
        switch settlement.outcome {
        case .requeued: return nil
        case .failed(_, let reason): ring.outcome = .refused(reason)
        case .deliveredSilently: ring.outcome = .listed
        case .delivered, .suppressed, .withoutPopup: break
        }
        if let sleep, sleep.contains(due.wall) { ring.suspendedAt = sleep.lowerBound }
        ring.missed = dates(of: request.trigger, after: due, through: settlement.date)
        return ring
    }

    /// Returns how many dates after `due` and up to `end` were missed and merged.
    private func dates(
        of trigger: NotificationTrigger?, after due: DueTime, through end: Instant
    ) -> Int {
        var reading = clock.now()
        reading.timeZone = due.zone ?? reading.timeZone
        var (count, last) = (0, due.wall)
        while last < end {
            reading.wall = last
            let next = FireSchedule.sample.next(
                of: trigger, after: DueTime(wall: last), now: reading)
            guard let next, next.wall <= end else { break }
            (count, last) = (count + 1, next.wall)
        }
        return count
    }
}

/// A notification server that shows everything immediately and never gets a response.
private final class SimulatedPresenter: NotificationPresenter {
    private let listeners = Locked<[@Sendable (PresenterEvent) -> Void]>([])

    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        listeners.withLock { $0 = [listener] }
        listener(.available)
    }

    func post(_ presentations: [Presentation]) {
        let listener = listeners.withLock(\.first)
        // Report no popup: the store would keep every popup for a response.
        for presentation in presentations {
            listener?(.outcome(token: presentation.token, .deliveredSilently))
        }
    }

    func adopt(_ popups: [NotificationKey: PresentedPopup]) async {}
    func withdraw(_ keys: [NotificationKey]) {}
    func closePopups(of keys: [NotificationKey]) {}
    func closeOldest() {}
    func setBadge(_ count: Int, of app: ApplicationID) {}

    func status() async -> PresenterStatus {
        PresenterStatus(isAvailable: true, name: "simulated")
    }
}

/// A store for simulations; an engine fills it as apps do.
struct SimulatedStore {
    let directory: TemporaryDirectory
    var layout: StoreLayout { StoreLayout(directory: directory.path + "/store") }

    /// Adds requests at this time; `more` may change the engine further.
    init(
        _ requests: [(ApplicationID, NotificationRequest)], at now: ClockReading,
        _ more: (CenterEngine) async throws -> Void = { _ in }
    ) async throws {
        directory = try TemporaryDirectory()
        let reactor = Reactor.started("filling")
        defer { reactor.stop() }
        var configuration = EngineConfiguration(
            layout: StoreLayout(directory: directory.path + "/store"), hosting: "embedded",
            version: "1", zones: .sample)
        configuration.isDurable = false
        let engine = try await CenterEngine.start(
            configuration, presenter: RecordingPresenter(isAvailable: false),
            clock: VirtualClock(now), reactor: reactor)
        for (app, request) in requests {
            try await engine.add(request, attachments: [], for: app)
        }
        try await more(engine)
        await engine.untilAtRest()
        await engine.stop()
    }

    /// Simulates the store's requests and returns their outcomes.
    func rings(
        from start: ClockReading, until end: Instant, _ events: [MachineEvent] = []
    ) async throws -> [SimulatedRing] {
        let simulation = EngineSimulation(layout: layout, start: start, end: end)
        let rings = Recording<SimulatedRing>()
        try await simulation.run(events) { ring in
            rings.append(ring)
            return true
        }
        return rings.all
    }
}

extension NotificationTrigger {
    /// A rule by its text.
    static func rule(
        _ text: String, zone: String? = nil, until: Instant? = nil, count: Int? = nil
    ) -> NotificationTrigger {
        .rule(NotificationRule(text, timeZone: zone, until: until, count: count))
    }
}

extension Instant {
    /// The instant this many hours later.
    func adding(hours: Int64) -> Instant { adding(microseconds: hours * 3_600_000_000) }
}
