internal import NotificationModel
internal import NotificationSchedule

/// Computes the dates of requests, without calls to the centre.
struct FireDateForecast {
    let environment: ToolEnvironment

    /// The next dates of a request, at most `limit`, and none after `end`.
    ///
    /// The first date is the request's `nextFire`; the others follow from the trigger. If the first
    /// date is past, the request fires late, so the others lie in the future. The tool has only the
    /// Gregorian calendar and that of ISO 8601. For any other calendar, the result is the first
    /// date alone.
    func dates(
        of pending: PendingNotification, limit: Int, until end: Instant? = nil
    ) -> [Occurrence] {
        guard let first = pending.nextFire else { return [] }
        var dates = [Occurrence(instant: first)]
        var rule = rule(of: pending.request.trigger)
        let zone = zone(of: pending.request.trigger, rule, firingAt: pending.regular ?? first)
        while dates.count < limit, let last = dates.last, last.instant <= end ?? last.instant {
            if let count = rule?.count { rule?.count = count - 1 }
            let base = dates.count == 1 ? base(of: pending, rule, in: zone) : last.instant
            let next = next(
                of: pending.request.trigger, rule, after: base, fired: last.instant, in: zone)
            guard let next else { break }
            dates.append(next)
        }
        return dates.filter { $0.instant <= end ?? $0.instant }
    }

    /// The zone in which the centre finds the dates of a trigger; `date` is one of these dates.
    private func zone(
        of trigger: NotificationTrigger?, _ rule: Rule?, firingAt date: Instant
    ) -> ZoneRules {
        let zones = environment.zones(of: trigger)
        guard zones.count > 1 else { return zones[0] }
        let before = date.adding(microseconds: -1)
        return zones.first { next(of: trigger, rule, after: before, in: $0)?.instant == date }
            ?? zones[0]
    }

    /// The instant from which the search for the second date starts.
    ///
    /// The request fires at `nextFire`, or now if that date is past. A regular date is a date that
    /// the trigger has without a snooze.
    ///
    /// - An interval continues from its last regular date that is not after the firing.
    /// - Any other trigger continues from the firing. If its regular date is later, it continues
    ///   with that date, because the user skipped the dates before it. After a change of the zone,
    ///   that date may be no date of the trigger, and does not count.
    private func base(
        of pending: PendingNotification, _ rule: Rule?, in zone: ZoneRules
    ) -> Instant {
        let trigger = pending.request.trigger
        let firing = max(pending.nextFire ?? environment.now, environment.now)
        let regular = pending.regular ?? pending.nextFire ?? firing
        guard let period = Self.period(of: trigger, rule) else {
            guard regular > firing else { return firing }
            let before = regular.adding(microseconds: -1)
            let isDate = next(of: trigger, rule, after: before, in: zone)?.instant == regular
            return isDate ? before : firing
        }
        let lateness = firing.microseconds(since: regular)
        let count = lateness < 0 ? -1 : lateness / period
        return regular.adding(microseconds: count * period)
    }

    /// Whether a trigger repeats at an interval, as a trigger of its own or as a rule.
    func isInterval(_ trigger: NotificationTrigger?) -> Bool {
        Self.period(of: trigger, rule(of: trigger)) != nil
    }

    /// The period of a repeating interval in microseconds; nil for every other trigger.
    private static func period(of trigger: NotificationTrigger?, _ rule: Rule?) -> Int64? {
        guard case .interval(let seconds, true) = trigger else {
            return rule?.interval?.microseconds
        }
        let period = Int64(exactly: (seconds * 1_000_000).rounded())
        return period.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The first date of a request that was made at `created`; nil if there is no such date.
    func first(of trigger: NotificationTrigger?, after created: Instant) -> Instant? {
        switch trigger {
        case nil, .push: return created
        case .at(let date): return date
        case .interval(let seconds, _):
            let trigger = NotificationTrigger.interval(seconds: seconds, repeats: true)
            return next(of: trigger, nil, after: created, in: .fixed(0))?.instant
        case .calendar, .rule:
            return next(
                of: trigger?.repeating, rule(of: trigger), after: created,
                in: environment.zone(of: trigger)
            )?.instant
        case .region: return nil
        }
    }

    private func rule(of trigger: NotificationTrigger?) -> Rule? {
        guard case .rule(let rule) = trigger else { return nil }
        return try? Rule(rule.text, until: rule.until, count: rule.count)
    }

    /// The first date after `last`; `fired` is the date for which the request fired before.
    private func next(
        of trigger: NotificationTrigger?, _ rule: Rule?, after last: Instant,
        fired: Instant? = nil, in zone: ZoneRules
    ) -> Occurrence? {
        switch trigger {
        case .interval(_, true):
            return Self.period(of: trigger, rule).map {
                Occurrence(instant: last.adding(microseconds: $0))
            }
        case .calendar(let components, true):
            guard ["gregorian", "iso8601"].contains(components.calendar ?? "gregorian"),
                environment.rules(named: components.timeZone) != nil
            else { return nil }
            return NextDate.find(matching: components, after: last, in: zone)
                .map { Occurrence(instant: $0) }
        case .rule:
            guard let fired else { return rule?.next(after: last, in: zone) }
            return rule?.next(after: last, fired: fired, in: zone)
        case nil, .interval, .calendar, .at, .push, .region: return nil
        }
    }
}

extension NotificationTrigger {
    /// A calendar trigger that repeats; any other trigger stays unchanged.
    fileprivate var repeating: NotificationTrigger {
        if case .calendar(let components, _) = self { return .calendar(components, repeats: true) }
        return self
    }
}

extension ToolEnvironment {
    /// The zone that a trigger names; the user's zone if the trigger names no known zone.
    func zone(of trigger: NotificationTrigger?) -> ZoneRules {
        zoneName(of: trigger).flatMap(rules(named:)) ?? zone
    }

    /// The zones in which the notification centre may find the dates of a trigger.
    ///
    /// The daemon may lack the variable `TZ` of this process. A trigger that names no zone then
    /// follows the zone of the system.
    fileprivate func zones(of trigger: NotificationTrigger?) -> [ZoneRules] {
        let own = self.zone(of: trigger)
        switch trigger {
        case .calendar, .rule:
            guard zoneName(of: trigger) == nil, zoneOfVariable() != nil else { return [own] }
            return [own, zoneOfSystem()]
        // These triggers need no zone, so a list reads no zone files for them.
        case nil, .interval, .at, .push, .region: return [own]
        }
    }

    private func zoneName(of trigger: NotificationTrigger?) -> String? {
        switch trigger {
        case .calendar(let components, _): components.timeZone
        case .rule(let rule): (try? Rule(rule.text))?.timeZone ?? rule.timeZone
        case nil, .interval, .at, .push, .region: nil
        }
    }
}
