public import NotificationModel
internal import NotificationSchedule
package import NotificationStore

/// Computes the first and the following due times of requests.
///
/// It reads no clock and no store: the same clock reading and zone files give the same dates.
public struct FireSchedule: Sendable {
    let dates: CalendarDates

    /// Makes the schedule of a system with these zones.
    public init(zones: SystemZones) {
        dates = CalendarDates(zones: zones)
    }

    /// The zones in which dates are computed.
    public var zones: SystemZones { dates.zones }

    /// The meaning of a trigger for a request that is added now.
    package enum First: Hashable {
        case due(DueTime)
        /// Its date is past. As on Apple's platforms, the request is accepted and never fires.
        case past
        /// It has no date: it waits for a region.
        case region
    }

    /// The first due time of a request with this trigger.
    ///
    /// - Throws: `noDate` if no date ever matches the calendar components, or if the rule has no
    ///   date left. `invalidArgument` if its rule or region cannot be used.
    package func first(
        of trigger: NotificationTrigger?, now: ClockReading
    ) throws(NotificationError) -> First {
        switch trigger {
        case nil, .push: return .due(DueTime(wall: now.wall, boot: now.boot))
        case .at(let instant): return .due(DueTime(wall: instant))
        case .interval(let seconds, _):
            return .due(DueTime(after: Int64(microsecondsOfSeconds: seconds), now))
        case .calendar(let components, _):
            let next = dates.next(
                matching: components, after: now.wall, timeZone: now.timeZone)
            if let next { return .due(DueTime(wall: next, zone: zone(components, now))) }
            guard dates.canMatch(components, timeZone: now.timeZone) else {
                throw NotificationError(
                    .noDate,
                    "The calendar trigger can never fire: no date matches its components. Check "
                        + "their ranges and the time zone's name.")
            }
            return .past
        case .rule(let rule): return try first(of: rule, now: now)
        case .region(let region, _):
            try Self.check(region)
            return .region
        }
    }

    /// The due time of a pending request by the current clock and zone; nil if the stored time
    /// stays.
    package func moved(
        _ trigger: NotificationTrigger?, from due: DueTime, now: ClockReading
    ) -> DueTime? {
        // A date that has already come stays, except a date that an unset clock computed.
        guard due.wall > now.wall || isFromUnsetClock(due, now: now) else { return nil }
        let next: DueTime? =
            switch trigger {
            case .rule(let rule): recomputedDue(rule, fired: due.fired, now: now)
            case .calendar(let components, _):
                dates.nextOfAccepted(
                    components, after: base(fired: due.fired, now), timeZone: now.timeZone
                ).map { DueTime(wall: $0, zone: zone(components, now), fired: due.fired) }
            case nil, .interval, .at, .push, .region: nil
            }
        if let next { return next }
        // The stored date is the last one. In a zone farther east, its time of day may have passed;
        // the request is then due at once.
        let sameTime = moved(due.wall, from: due.zone, now: now)
        guard sameTime < due.wall else { return nil }
        return DueTime(wall: sameTime, zone: now.timeZone, fired: due.fired)
    }

    /// The first date of a trigger after an instant; nil if there is no date or a rule cannot be
    /// read.
    ///
    /// `timeZone` is the user's zone, for a trigger that names no zone.
    public func nextDate(
        of trigger: NotificationTrigger, after instant: Instant, timeZone: String
    ) -> Instant? {
        switch trigger {
        case .interval(let seconds, _):
            return Instant(secondsSince1970: instant.secondsSince1970 + seconds)
        case .at(let date): return date > instant ? date : nil
        case .calendar(let components, _):
            return dates.next(matching: components, after: instant, timeZone: timeZone)
        case .rule(let rule):
            guard let parsed = try? Rule(rule.text, until: rule.until, count: rule.count) else {
                return nil
            }
            let zone = zones.rulesOrUTC(named: parsed.timeZone ?? rule.timeZone ?? timeZone)
            return parsed.next(after: instant, in: zone)?.instant
        case .push, .region: return nil
        }
    }

    /// The user's zone, if the date follows this zone; nil if the components name a zone.
    func zone(_ components: CalendarComponents, _ now: ClockReading) -> String? {
        components.timeZone == nil ? now.timeZone : nil
    }

    private static func check(_ region: NotificationRegion) throws(NotificationError) {
        guard region.isValid else {
            throw NotificationError(
                .invalidArgument,
                "The region \(region.identifier.quotedForMessage()) cannot be used: it must have a "
                    + "latitude from -90 to 90, a longitude from -180 to 180 and a radius above 0.")
        }
        guard region.onEntry || region.onExit else {
            throw NotificationError(
                .invalidArgument,
                "The region \(region.identifier.quotedForMessage()) can never fire: neither "
                    + "entering nor leaving counts. Set notifyOnEntry or notifyOnExit.")
        }
    }
}

// MARK: - Rules

extension FireSchedule {
    /// The trigger in its stored form.
    ///
    /// A rule is stored as canonical text. The text of "every second week" includes the day from
    /// which the weeks are counted.
    package func accepted(
        _ trigger: NotificationTrigger?, now: ClockReading
    ) throws(NotificationError) -> NotificationTrigger? {
        guard case .rule(var rule) = trigger else { return trigger }
        let parsed = try read(rule)
        if let name = parsed.timeZone ?? rule.timeZone, zones.rules(named: name) == nil {
            throw NotificationError(
                .invalidArgument,
                "The rule \(rule.text.quotedForMessage()) has the time zone "
                    + "\(name.quotedForMessage()), which this system does not know. Write its name "
                    + "as in /usr/share/zoneinfo, such as 'Europe/Berlin'.")
        }
        let zone = zone(of: parsed, rule, now)
        rule.text = parsed.anchored(after: now.wall, in: zone).description
        return .rule(rule)
    }

    func first(
        of rule: NotificationRule, now: ClockReading
    ) throws(NotificationError) -> First {
        var parsed = try read(rule)
        if let length = parsed.interval?.microseconds {
            let due = DueTime(after: length, now)
            guard due.wall <= rule.until ?? due.wall else { throw ruleEnded(rule) }
            return .due(due)
        }
        let zone = zone(of: parsed, rule, now)
        if let next = parsed.next(after: now.wall, in: zone) {
            return .due(due(next, parsed, rule, now))
        }
        parsed.until = nil
        guard parsed.next(after: now.wall, in: zone) != nil else {
            throw NotificationError(
                .noDate,
                "The rule \(rule.text.quotedForMessage()) can never fire: no date matches it from "
                    + "now on. Check its days and its year.")
        }
        throw ruleEnded(rule)
    }

    private func ruleEnded(_ rule: NotificationRule) -> NotificationError {
        NotificationError(
            .noDate,
            "The rule \(rule.text.quotedForMessage()) can never fire: it ends before its next "
                + "date. Give it a later end, or leave the end out.")
    }

    /// The due time of a pending rule, computed again.
    ///
    /// It is nil if the rule uses the boot-time clock, cannot be read, or has no further date.
    func recomputedDue(
        _ rule: NotificationRule, fired: Instant?, now: ClockReading
    ) -> DueTime? {
        guard let parsed = try? read(rule), parsed.interval == nil else { return nil }
        let zone = zone(of: parsed, rule, now)
        let start = base(fired: fired, now)
        let next =
            fired.map { parsed.next(after: start, fired: $0, in: zone) }
            ?? parsed.next(after: start, in: zone)
        return next.map { due($0, parsed, rule, now, fired: fired) }
    }

    func read(_ rule: NotificationRule) throws(NotificationError) -> Rule {
        do throws(TimeTextError) {
            return try Rule(rule.text, until: rule.until)
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The rule \(rule.text.quotedForMessage()) cannot be read: \(error).")
        }
    }

    func zone(
        of parsed: Rule, _ rule: NotificationRule, _ now: ClockReading
    ) -> ZoneRules {
        let name = parsed.timeZone ?? rule.timeZone ?? now.timeZone
        return zones.rulesOrUTC(named: name)
    }

    func due(
        _ occurrence: Occurrence, _ parsed: Rule, _ rule: NotificationRule, _ now: ClockReading,
        fired: Instant? = nil
    ) -> DueTime {
        let floats = parsed.timeZone == nil && rule.timeZone == nil
        return DueTime(
            wall: occurrence.instant, zone: floats ? now.timeZone : nil, fired: fired)
    }
}
