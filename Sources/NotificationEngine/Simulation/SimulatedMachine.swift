import NotificationModel

/// The machine of a simulation: what happens to it, and what that does to what is due.
struct SimulatedMachine {
    private let clock: VirtualClock
    private let start: Instant
    private var events: AnyIterator<MachineEvent>
    private var event: MachineEvent?
    private var skipped: [SimulatedRing]
    private var sleep: Range<Instant>?

    /// Makes a machine; `skipped` are the dates that a person skipped, in order.
    init(clock: VirtualClock, events: some Sequence<MachineEvent>, skipped: [SimulatedRing]) {
        self.clock = clock
        start = clock.now().wall
        self.events = AnyIterator(events.makeIterator())
        event = self.events.next()
        self.skipped = skipped.reversed()
    }

    /// Turns the clock to what comes next, and lets the engine do what it does then; false where
    /// nothing comes before the end.
    mutating func goOn(before end: Instant, _ engine: CenterEngine) async -> Bool {
        let alarm = clock.nextAlarm
        if let event, event.instant < alarm ?? .distantFuture {
            guard event.instant < end else { return false }
            clock.advance(to: event.instant)
            happen(event.kind)
            self.event = events.next()
            // Nothing that the engine hears of: a sleep in which nothing was due.
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
        case .wallClock(let wall): clock.setWall(wall)
        }
    }

    /// What became of these attempts, among the dates that were skipped up to now.
    mutating func rings(of settlements: [Settlement]) -> [SimulatedRing] {
        var rings = rest(before: clock.now().wall.adding(microseconds: 1))
        rings += settlements.compactMap(ring)
        return rings
    }

    /// The skipped dates before an instant that were not told yet.
    mutating func rest(before end: Instant) -> [SimulatedRing] {
        var rings: [SimulatedRing] = []
        while let ring = skipped.last, ring.due < end { rings.append(skipped.removeLast()) }
        return rings
    }

    private func ring(of settlement: Settlement) -> SimulatedRing? {
        let claimed = settlement.claimed
        let trigger = claimed.request.trigger
        let (due, person) = (claimed.due.wall, clock.now().timeZone)
        let zone = FireSchedule.timeZone(of: trigger, person: claimed.due.zone ?? person)
        var ring = SimulatedRing(claimed, due: due, fired: settlement.date, timeZone: zone)
        switch settlement.outcome {
        case .returned: return nil
        case .failed(_, let reason): ring.outcome = .refused(reason)
        case .listed: ring.outcome = .listed
        case .delivered, .suppressed, .withoutPopup: break
        }
        ring.shift = FireSchedule.shift(of: trigger, at: due, timeZone: zone)
        if let sleep, sleep.contains(due) { ring.suspendedAt = sleep.lowerBound }
        guard settlement.date > due else { return ring }
        ring.missed = FireSchedule.dates(
            of: trigger, after: due, through: settlement.date, timeZone: zone)
        return ring
    }
}

extension Instant {
    fileprivate static let distantFuture = Instant(microseconds: .max)
}
