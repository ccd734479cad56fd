import NotificationModel
internal import NotificationSchedule
internal import NotificationStore

// Stored dates after a change of the zone, of the zones' rules or of the clock.
extension FireSchedule {
    /// The longest step back that counts as a correction of the clock, in microseconds.
    ///
    /// After such a step, a date that has already fired does not fire again. If the fired date is
    /// later than now by more than this, a wrong clock had produced that date. The search then
    /// ignores the date, so that the request can fire again.
    static let longestStepBack: Int64 = 48 * 3_600 * 1_000_000

    /// The instant after which the next date is searched.
    ///
    /// Normally the search begins now. If the date that fired is later than now by at most
    /// `longestStepBack`, the clock was set back, and the search begins after that date.
    func base(fired: Instant?, _ now: ClockReading) -> Instant {
        guard let fired, fired > now.wall,
            fired <= now.wall.adding(microseconds: Self.longestStepBack)
        else { return now.wall }
        return fired
    }

    /// Whether a date was computed by a clock that had lost its power and was not set yet.
    func isFromUnsetClock(_ due: DueTime, now: ClockReading) -> Bool {
        due.wall < .firstPlausible && now.wall >= .firstPlausible
    }

    /// The longest step forward after which a date just past the end of its rule still fires, in
    /// microseconds.
    private static let smallStep: Int64 = 60_000_000

    /// Whether the clock was set forward so far that the date lies after the end of its rule.
    ///
    /// Only an interval has such a date: it counts on the boot-time clock, and the end of its rule
    /// is a wall time. After a snooze, the user has chosen the date, so it may lie after the end.
    func isPastEnd(_ claimed: ClaimedRequest, now: ClockReading) -> Bool {
        guard claimed.regular == nil, case .rule(let rule) = claimed.request.trigger,
            let end = rule.until
        else { return false }
        return claimed.due.expected(now) > end.adding(microseconds: Self.smallStep)
    }

    /// Whether a request has a date that is late by no more than `maximumLateness` microseconds.
    ///
    /// The due time of `claimed` is its oldest missed date. If that date is too late, a later date
    /// of a repeating request may still be fresh. After a snooze, the later dates are not snoozed.
    func isFresh(
        _ claimed: ClaimedRequest, lateness: Int64, maximumLateness: Int64, now: ClockReading
    ) -> Bool {
        guard lateness > maximumLateness else { return true }
        guard claimed.request.trigger?.repeats == true else { return false }
        let due = claimed.due
        // The request could first be shown `lateness` after `due`. A date is fresh if it comes at
        // most `maximumLateness` before that moment, and so after `limit`.
        let first = due.boot ?? due.wall.microseconds
        let age = (due.boot == nil ? now.wall.microseconds : now.boot).saturatingSubtract(first)
        let step = lateness.saturatingSubtract(age).saturatingSubtract(maximumLateness)
            .saturatingSubtract(1)
        let limit = now.adding(microseconds: step)
        guard let later = next(of: claimed, now: limit) else { return false }
        if let boot = later.boot { return boot <= now.boot }
        return later.wall <= now.wall
    }
}

// MARK: - Continuing with a later date

extension FireSchedule {
    /// The due time of a new request, and the earlier dates that the store has to know.
    struct Start {
        var due: DueTime
        /// The last date that was skipped; nil if no date was skipped.
        var skipped: Instant?
        /// The due time before the snooze; nil if the request was not snoozed.
        var regular: DueTime?
    }

    /// The start of a new request at a date after `first`, the first due time of its trigger.
    ///
    /// Dates were skipped if `date` is a date of a calendar trigger or of a rule. Otherwise the
    /// request was snoozed. A request with an interval is always snoozed, because an interval has
    /// no fixed dates.
    ///
    /// The result is nil for a trigger that is immediate or has a region, or if `date` is not
    /// after `first`.
    ///
    /// - Throws: `invalidArgument` if `date` is after the year 9999.
    func start(
        of request: NotificationRequest, at date: Instant, after first: DueTime, now: ClockReading
    ) throws(NotificationError) -> Start? {
        let regular = first.expected(now)
        switch request.trigger {
        case nil, .push, .region: return nil
        case .at, .interval, .calendar, .rule: break
        }
        guard date > regular else { return nil }
        guard date.isUsable else {
            throw NotificationError(
                .invalidArgument,
                "The request \(request.identifier.quotedForMessage()) would fire after the year "
                    + "9999. Give it an earlier date.")
        }
        var before = now
        before.wall = date.adding(microseconds: -1)
        // `first` throws if the snooze ends after the last date of a rule.
        if Self.period(of: request.trigger) == nil,
            case .due(let due) = try? self.first(of: request.trigger, now: before), due.wall == date
        {
            return Start(due: due, skipped: before.wall)
        }
        let due = DueTime(wall: regular, boot: first.boot)
            .adding(microseconds: date.microseconds(since: regular))
        return Start(due: due, regular: first)
    }
}

// MARK: - Skipping one date of a request that repeats

extension FireSchedule {
    /// The due time of a pending or snoozed request after a skip; nil if there is no later date.
    ///
    /// If the snooze ends before the next regular date, the skip cancels only the snoozed date. The
    /// result is then the stored regular date, perhaps computed in a former zone. If the snooze
    /// ends later, the request continues as if the snoozed date had fired.
    func afterSkipping(_ claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular, trigger?.repeats == true else {
            return afterSkipping(trigger, from: claimed.due, now: now)
        }
        var awake = claimed
        (awake.due, awake.regular) = (regular, nil)
        let current = moved(awake, now: now)?.due ?? regular
        if current.expected(now) > claimed.due.expected(now) { return regular }
        return next(
            of: claimed, now: now.adding(microseconds: max(0, claimed.due.remaining(now))))
    }

    /// The next due time of a request that has just fired; nil if there is no later date.
    ///
    /// Firing ends a snooze, so the result is a regular date. An interval continues as if there had
    /// been no snooze. If a skipped date is still to come, the result is the stored regular date,
    /// perhaps computed in a former zone.
    func next(of claimed: ClaimedRequest, now: ClockReading) -> DueTime? {
        let trigger = claimed.request.trigger
        guard let regular = claimed.regular else {
            return next(of: trigger, after: claimed.due, now: now)
        }
        if Self.period(of: trigger) != nil {
            let isToCome = regular.expected(now) > now.wall
            return isToCome ? regular : next(of: trigger, after: regular, now: now)
        }
        // The user may have skipped a coming date before the snooze.
        if let skipped = claimed.skipped, skipped > now.wall { return regular }
        return next(of: trigger, after: claimed.due, now: now)
    }

    /// The due time after `due`; nil if `due` is the last due time.
    ///
    /// `due` is the next due time of a pending request.
    func afterSkipping(
        _ trigger: NotificationTrigger?, from due: DueTime, now: ClockReading
    ) -> DueTime? {
        guard trigger?.repeats == true, due != .never else { return nil }
        guard due.expected(now) > now.wall else { return next(of: trigger, after: due, now: now) }
        guard let period = Self.period(of: trigger) else {
            var then = now
            then.wall = due.wall
            return next(of: trigger, after: due, now: then)
        }
        let later = DueTime(wall: due.expected(now), boot: due.boot).adding(microseconds: period)
        if case .rule(let rule) = trigger, later.wall > rule.until ?? later.wall { return nil }
        return later
    }

    /// A pending request with its date computed again; nil if the date stays.
    ///
    /// If the zone changed, a skip keeps its time of day. If another date comes before that time in
    /// the current zone, the skip keeps its instant.
    func moved(_ claimed: ClaimedRequest, now: ClockReading) -> ClaimedRequest? {
        let trigger = claimed.request.trigger
        // A snooze of ten minutes lasts ten minutes, even if the zone changes.
        guard claimed.regular == nil, var due = moved(trigger, from: claimed.due, now: now) else {
            return nil
        }
        var moved = claimed
        if let skipped = claimed.skipped {
            let sameTime = self.moved(skipped, from: claimed.due.zone, now: now)
            // In a zone farther west, an hourly request has other dates before the same time of
            // day. The user did not skip these dates, so only the dates up to the skipped instant
            // stay silent.
            let last = sameTime < claimed.due.wall ? sameTime : skipped
            moved.skipped = last
            if due.wall <= last {
                // Search as if the last silent date had just fired.
                var (from, then) = (claimed.due, now)
                (from.fired, then.wall) = (last, last)
                due = self.moved(trigger, from: from, now: then) ?? due
                // The date after which the search began did not fire.
                due.fired = claimed.due.fired
            }
        }
        moved.due = due
        return moved
    }

    /// The instant that has the same civil time in the current zone as `instant` in `zone`.
    func moved(_ instant: Instant, from zone: String?, now: ClockReading) -> Instant {
        guard let zone, zone != now.timeZone else { return instant }
        let shown = zones.rulesOrUTC(named: zone).civilTime(at: instant)
        return zones.rulesOrUTC(named: now.timeZone).instant(of: shown)
            .adding(microseconds: instant.fraction)
    }

    /// The period of a repeating interval in microseconds; nil for every other trigger.
    static func period(of trigger: NotificationTrigger?) -> Int64? {
        switch trigger {
        case .interval(let seconds, repeats: true): Int64(microsecondsOfSeconds: seconds)
        case .rule(let rule): (try? Rule(rule.text))?.interval?.microseconds
        default: nil
        }
    }
}
