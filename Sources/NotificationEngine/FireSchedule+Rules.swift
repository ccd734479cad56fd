import NotificationModel
internal import NotificationSchedule
internal import NotificationStore

/// When a request that follows a rule is due; pure but for the zones' files.
extension FireSchedule {
    /// The trigger as it is stored: a rule in its canonical form, with the day from which it counts.
    static func accepted(
        _ trigger: NotificationTrigger?, now: ClockReading
    ) throws(NotificationError) -> NotificationTrigger? {
        guard case .rule(var rule) = trigger else { return trigger }
        let parsed = try read(rule)
        if let name = parsed.timeZone ?? rule.timeZone, SystemZones.shared.rules(named: name) == nil
        {
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

    static func first(
        of rule: NotificationRule, now: ClockReading
    ) throws(NotificationError) -> First {
        var parsed = try read(rule)
        if let count = rule.count {
            try Limits.ruleCount.check(count, of: "the rule \(rule.text.quotedForMessage())")
        }
        if let length = parsed.interval?.microseconds {
            let due = DueTime(after: length, now)
            guard due.wall <= rule.until ?? due.wall else { throw isOver(rule) }
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
        throw isOver(rule)
    }

    private static func isOver(_ rule: NotificationRule) -> NotificationError {
        NotificationError(
            .noDate,
            "The rule \(rule.text.quotedForMessage()) can never fire: it ends before its next "
                + "date. Give it a later end, or leave the end out.")
    }

    /// When a rule that has just fired fires again: missed repeats merge into one.
    static func next(
        of rule: NotificationRule, after due: DueTime, now: ClockReading
    ) -> DueTime? {
        guard rule.count != 1, let parsed = try? read(rule) else { return nil }
        if let length = parsed.interval?.microseconds {
            let next = next(every: length, after: due, now: now)
            return next.wall <= rule.until ?? next.wall ? next : nil
        }
        return parsed.next(
            after: base(fired: due.wall, now), fired: due.wall, in: zone(of: parsed, rule, now)
        ).map { Self.due($0, parsed, rule, now, fired: due.wall) }
    }

    /// When a waiting rule is due, computed again; nil where it counts on the boot-time clock.
    static func again(
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

    private static func read(_ rule: NotificationRule) throws(NotificationError) -> Rule {
        do throws(TimeTextError) {
            return try Rule(rule.text, until: rule.until)
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The rule \(rule.text.quotedForMessage()) cannot be read: \(error).")
        }
    }

    private static func zone(
        of parsed: Rule, _ rule: NotificationRule, _ now: ClockReading
    ) -> ZoneOffsets {
        let name = parsed.timeZone ?? rule.timeZone ?? now.timeZone
        return ZoneOffsets(SystemZones.shared.rulesOrUTC(named: name))
    }

    private static func due(
        _ occurrence: Occurrence, _ parsed: Rule, _ rule: NotificationRule, _ now: ClockReading,
        fired: Instant? = nil
    ) -> DueTime {
        let floats = parsed.timeZone == nil && rule.timeZone == nil
        return DueTime(
            wall: occurrence.instant, zone: floats ? now.timeZone : nil, fired: fired)
    }
}
