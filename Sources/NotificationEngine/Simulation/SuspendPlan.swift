import NotificationModel
internal import NotificationSchedule

/// When a machine sleeps: from each date of a rule on for some time.
public struct SuspendPlan: Hashable, Sendable {
    /// The text of the rule.
    public var rule: String
    /// How long it sleeps, in microseconds.
    public var length: Int64

    /// Makes a plan.
    public init(rule: String, length: Int64) {
        self.rule = rule
        self.length = length
    }

    /// The times at which it is suspended, one after another; a date while it sleeps is none.
    func events(from start: Instant, timeZone: String) -> some Sequence<MachineEvent> {
        let parsed = try? Rule(rule)
        let name = parsed?.timeZone ?? timeZone
        let zone = ZoneOffsets(SystemZones.shared.rulesOrUTC(named: name))
        let anchored = parsed?.anchored(after: start, in: zone)
        return sequence(state: start.adding(microseconds: -1)) { last -> MachineEvent? in
            guard let next = anchored?.next(after: last, in: zone)?.instant else { return nil }
            last = next.adding(microseconds: max(0, length - 1))
            return MachineEvent(at: next, .suspend(length))
        }
    }
}
