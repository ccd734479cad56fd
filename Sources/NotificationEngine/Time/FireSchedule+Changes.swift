import NotificationModel
internal import NotificationSchedule
internal import NotificationStore

// What another zone, other rules of zones and a set clock mean for dates that are stored already.
extension FireSchedule {
    /// How far in the future a date may have fired: further ahead, the clock was wrong then, and a
    /// request must not be silent until that date comes.
    static let longestStepBack: Int64 = 48 * 3_600 * 1_000_000

    /// After which instant the next date is looked for.
    ///
    /// Never at or before the date that has fired, even if the clock was set back.
    func base(fired: Instant?, _ now: ClockReading) -> Instant {
        guard let fired, fired > now.wall,
            fired <= now.wall.adding(microseconds: Self.longestStepBack)
        else { return now.wall }
        return fired
    }

    /// Whether a date was computed while the clock had not been set since it lost its power.
    func isFromUnsetClock(_ due: DueTime, now: ClockReading) -> Bool {
        due.wall < .firstPlausible && now.wall >= .firstPlausible
    }

    /// Whether a request has a date that is not over by more than its patience.
    ///
    /// `due` is the first of the dates that it missed by so much; a later one of a request that
    /// repeats may be fresh.
    func isFresh(
        _ trigger: NotificationTrigger?, due: DueTime, lateness: Int64, patience: Int64,
        now: ClockReading
    ) -> Bool {
        guard lateness > patience else { return true }
        guard trigger?.repeats == true else { return false }
        // What had to be no earlier than this when it could be shown first.
        let first = due.boot ?? due.wall.microseconds
        let age = (due.boot == nil ? now.wall.microseconds : now.boot).saturatingSubtract(first)
        let step = lateness.saturatingSubtract(age).saturatingSubtract(patience)
            .saturatingSubtract(1)
        let limit = now.adding(microseconds: step)
        guard let later = next(of: trigger, after: due, now: limit) else { return false }
        if let boot = later.boot { return boot <= now.boot }
        return later.wall <= now.wall
    }
}

// MARK: - Skipping one date of a request that repeats

extension FireSchedule {
    /// The same for a request that may be snoozed: what the snooze did not reach stays its next.
    func afterSkipping(_ claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular, trigger?.repeats == true else {
            return afterSkipping(trigger, from: claimed.due, now: now)
        }
        let isLater = regular.expected(now) > claimed.due.expected(now)
        return isLater ? regular : afterSkipping(trigger, from: regular, now: now)
    }

    /// When a request that has just fired fires again; a snooze is over by that, and an interval
    /// goes on as if it had not been.
    func next(of claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular, Self.period(of: trigger) != nil else {
            return next(of: trigger, after: claimed.due, now: now)
        }
        let isToCome = regular.expected(now) > now.wall
        return isToCome ? regular : next(of: trigger, after: regular, now: now)
    }

    /// When a waiting request is due after the date on which it is due now; nil where that is its
    /// last.
    func afterSkipping(
        _ trigger: NotificationTrigger?, from due: DueTime, now: ClockReading
    ) -> DueTime? {
        guard trigger?.repeats == true, due != .never else { return nil }
        guard due.expected(now) > now.wall else { return next(of: trigger, after: due, now: now) }
        guard let period = Self.period(of: trigger) else {
            return following(due, of: trigger, now: now)
        }
        let later = DueTime(wall: due.expected(now), boot: due.boot).adding(microseconds: period)
        if case .rule(let rule) = trigger, later.wall > rule.until ?? later.wall { return nil }
        return later
    }

    /// A waiting request whose date is computed again; nil where it stays.
    ///
    /// A date that was skipped stays skipped, at its time of day in the zone of now.
    func moved(_ claimed: ClaimedRequest, now: ClockReading) -> ClaimedRequest? {
        let trigger = claimed.request.trigger
        // To be shown after ten minutes means that, whatever zone they end in.
        guard claimed.regular == nil, var due = moved(trigger, from: claimed.due, now: now) else {
            return nil
        }
        var moved = claimed
        moved.skipped = claimed.skipped.map { self.moved($0, from: claimed.due.zone, now: now) }
        while let skipped = moved.skipped, due.wall <= skipped,
            let next = following(due, of: trigger, now: now)
        {
            due = next
        }
        moved.due = due
        return moved
    }

    /// The date after another one, as if that were now.
    private func following(
        _ due: DueTime, of trigger: NotificationTrigger?, now: ClockReading
    ) -> DueTime? {
        var then = now
        then.wall = due.wall
        return next(of: trigger, after: due, now: then)
    }

    /// The instant that shows in the zone of now what another one shows in an earlier zone.
    private func moved(
        _ instant: Instant, from zone: String?, now: ClockReading
    ) -> Instant {
        guard let zone, zone != now.timeZone else { return instant }
        let shown = zones.rulesOrUTC(named: zone).civilTime(at: instant)
        return zones.rulesOrUTC(named: now.timeZone).instant(of: shown)
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
