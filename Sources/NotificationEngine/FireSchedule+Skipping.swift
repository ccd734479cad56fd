import NotificationModel
internal import NotificationSchedule
internal import NotificationStore

/// Passing over one date of a request that repeats; pure but for the zones' files.
extension FireSchedule {
    /// The same for a request that may be snoozed: what the snooze did not reach stays its next.
    static func afterSkipping(_ claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular, trigger?.repeats == true else {
            return afterSkipping(trigger, from: claimed.due, now: now)
        }
        let isLater = regular.expected(now) > claimed.due.expected(now)
        return isLater ? regular : afterSkipping(trigger, from: regular, now: now)
    }

    /// When a request that has just fired fires again; a snooze is over by that, and an interval
    /// goes on as if it had not been.
    static func next(of claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular, period(of: trigger) != nil else {
            return next(of: trigger, after: claimed.due, now: now)
        }
        let isToCome = regular.expected(now) > now.wall
        return isToCome ? regular : next(of: trigger, after: regular, now: now)
    }

    /// When a waiting request is due after the date on which it is due now; nil where that is its
    /// last.
    static func afterSkipping(
        _ trigger: NotificationTrigger?, from due: DueTime, now: ClockReading
    ) -> DueTime? {
        guard trigger?.repeats == true, due != .never else { return nil }
        guard due.expected(now) > now.wall else { return next(of: trigger, after: due, now: now) }
        guard let period = period(of: trigger) else { return following(due, of: trigger, now: now) }
        let later = DueTime(wall: due.expected(now), boot: due.boot).adding(microseconds: period)
        if case .rule(let rule) = trigger, later.wall > rule.until ?? later.wall { return nil }
        return later
    }

    /// A waiting request whose date is computed again; nil where it stays.
    ///
    /// A date that was skipped stays skipped, at its time of day in the zone of now.
    static func moved(_ claimed: ClaimedRequest, now: ClockReading) -> ClaimedRequest? {
        let trigger = claimed.request.trigger
        // To be shown after ten minutes means that, whatever zone they end in.
        guard claimed.regular == nil, var due = moved(trigger, from: claimed.due, now: now) else {
            return nil
        }
        var moved = claimed
        moved.skipped = claimed.skipped.map { Self.moved($0, from: claimed.due.zone, now: now) }
        while let skipped = moved.skipped, due.wall <= skipped,
            let next = following(due, of: trigger, now: now)
        {
            due = next
        }
        moved.due = due
        return moved
    }

    /// The date after another one, as if that were now.
    private static func following(
        _ due: DueTime, of trigger: NotificationTrigger?, now: ClockReading
    ) -> DueTime? {
        var then = now
        then.wall = due.wall
        return next(of: trigger, after: due, now: then)
    }

    /// The instant that shows in the zone of now what another one shows in an earlier zone.
    private static func moved(
        _ instant: Instant, from zone: String?, now: ClockReading
    ) -> Instant {
        guard let zone, zone != now.timeZone else { return instant }
        let shown = ZoneOffsets(SystemZones.shared.rulesOrUTC(named: zone)).civilTime(at: instant)
        return ZoneOffsets(SystemZones.shared.rulesOrUTC(named: now.timeZone)).instant(of: shown)
    }

    /// The length of an interval, in microseconds; nil for what follows the wall clock.
    static func period(of trigger: NotificationTrigger?) -> Int64? {
        switch trigger {
        case .interval(let seconds, repeats: true): Int64(microsecondsOfSeconds: seconds)
        case .rule(let rule): (try? Rule(rule.text))?.interval?.microseconds
        default: nil
        }
    }
}
