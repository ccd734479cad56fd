import NotificationModel

/// Requests as they are at another time than now; pure but for the zones' files.
extension FireSchedule {
    /// What a waiting request is like at the start of a simulation, as if the machine had been on
    /// until then; nil where it has fired for the last time before.
    ///
    /// Where the start is in the past, what repeats begins there, and what fires once keeps its
    /// date. What was skipped stays as it is.
    static func carried(
        _ claimed: ClaimedRequest, to start: ClockReading, from now: Instant
    ) -> ClaimedRequest? {
        var carried = claimed
        // The boot on which it counted is another time.
        carried.due.boot = nil
        let due = claimed.due.wall
        let trigger = claimed.request.trigger
        guard claimed.due != .never, claimed.skipped ?? now <= now || start.wall > due else {
            return carried
        }
        guard trigger?.repeats == true else { return due < start.wall ? nil : carried }
        // The start itself belongs to the simulation.
        let before = start.wall.adding(microseconds: -1)
        if let period = period(of: trigger) {
            return interval(carried, period: period, after: before)
        }
        var reading = start
        reading.wall = before
        guard case .rule(let rule) = trigger, rule.count != nil, before >= due else {
            guard let next = next(of: trigger, after: DueTime(wall: before), now: reading) else {
                return nil
            }
            carried.due = next
            return carried
        }
        return counted(carried, after: before, timeZone: start.timeZone)
    }

    private static func interval(
        _ claimed: ClaimedRequest, period: Int64, after start: Instant
    ) -> ClaimedRequest? {
        var carried = claimed
        let distance = start.microseconds(since: claimed.due.wall)
        let steps = distance.floorDivided(by: period) + 1
        let length = steps.saturatingMultiply(period)
        carried.due = DueTime(wall: claimed.due.wall.adding(microseconds: length))
        guard case .rule(var rule) = claimed.request.trigger else { return carried }
        if let count = rule.count { rule.count = count - Int(max(0, steps)) }
        guard rule.count ?? 1 > 0, carried.due.wall <= rule.until ?? carried.due.wall else {
            return nil
        }
        carried.request.trigger = .rule(rule)
        return carried
    }

    /// Each date uses up one of the times that are left.
    private static func counted(
        _ claimed: ClaimedRequest, after start: Instant, timeZone: String
    ) -> ClaimedRequest? {
        var carried = claimed
        while carried.due.wall <= start {
            let trigger = carried.request.trigger
            let reading = ClockReading(
                wall: carried.due.wall, boot: 0, bootID: "", timeZone: timeZone)
            guard let next = next(of: trigger, after: carried.due, now: reading) else { return nil }
            carried.request.trigger = trigger?.afterFiring
            carried.due = next
        }
        return carried
    }
}

extension Int64 {
    /// The quotient rounded down; the divisor is positive.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
