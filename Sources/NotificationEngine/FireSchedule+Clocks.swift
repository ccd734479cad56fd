import NotificationModel
internal import NotificationStore

// What another zone, other rules of zones and a set clock mean for dates that are stored already.
extension FireSchedule {
    /// How far in the future a date may have fired: further ahead, the clock was wrong then, and a
    /// request must not be silent until that date comes.
    static let longestStepBack: Int64 = 48 * 3_600 * 1_000_000

    /// After which instant the next date is looked for.
    ///
    /// Never at or before the date that has fired, even if the clock was set back.
    static func base(fired: Instant?, _ now: ClockReading) -> Instant {
        guard let fired, fired > now.wall,
            fired <= now.wall.adding(microseconds: longestStepBack)
        else { return now.wall }
        return fired
    }

    /// When a waiting request is due, computed again by the clock and the zone of now; nil where it
    /// stays.
    static func moved(
        _ trigger: NotificationTrigger?, from due: DueTime, now: ClockReading
    ) -> DueTime? {
        // What is due already is owed, whatever the zone; unless no clock ever showed that date.
        guard due.wall > now.wall || isFromUnsetClock(due, now: now) else { return nil }
        switch trigger {
        case .rule(let rule): return again(rule, fired: due.fired, now: now)
        case .calendar(let components, _):
            return CalendarDates.nextOfAccepted(
                components, after: base(fired: due.fired, now), timeZone: now.timeZone
            ).map { DueTime(wall: $0, zone: zone(components, now), fired: due.fired) }
        default: return nil
        }
    }

    /// Whether a date was computed while the clock had not been set since it lost its power.
    static func isFromUnsetClock(_ due: DueTime, now: ClockReading) -> Bool {
        due.wall < .firstPlausible && now.wall >= .firstPlausible
    }

    /// Whether a request has a date that is not over by more than its patience.
    ///
    /// `due` is the first of the dates that it missed by so much; a later one of a request that
    /// repeats may be fresh.
    static func isFresh(
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
