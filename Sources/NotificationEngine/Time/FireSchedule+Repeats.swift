package import NotificationModel
internal import NotificationSchedule
package import NotificationStore

// The next due times of repeating requests. Missed repeats merge into one: after a suspend, for
// example, the next due time is the first date in the future.
extension FireSchedule {
    /// The next due time of a request that has just fired; nil if there is no later date.
    package func next(
        of trigger: NotificationTrigger?, after due: DueTime, now: ClockReading
    ) -> DueTime? {
        switch trigger {
        case .interval(let seconds, repeats: true):
            return next(
                every: Int64(microsecondsOfSeconds: seconds), after: due, now: now)
        case .calendar(let components, repeats: true):
            return dates.nextOfAccepted(
                components, after: base(fired: due.wall, now), timeZone: now.timeZone
            ).map { DueTime(wall: $0, zone: zone(components, now), fired: due.wall) }
        case .rule(let rule): return next(of: rule, after: due, now: now)
        case .region(_, repeats: true): return .never
        case nil, .interval, .calendar, .at, .push, .region: return nil
        }
    }

    private func next(
        every period: Int64, after due: DueTime, now: ClockReading
    ) -> DueTime {
        // A row from before a reboot has only a wall time; its next date uses this boot's clock.
        let late =
            due.boot.map { now.boot.saturatingSubtract($0) }
            ?? now.wall.microseconds(since: due.wall)
        let period = min(max(period, 1), Limits.interval.range.upperBound * 1_000_000)
        return DueTime(after: period - (late % period + period) % period, now)
    }

    private func next(
        of rule: NotificationRule, after due: DueTime, now: ClockReading
    ) -> DueTime? {
        guard rule.count != 1, let parsed = try? read(rule) else { return nil }
        if let length = parsed.interval?.microseconds {
            let next = next(every: length, after: due, now: now)
            return next.wall <= rule.until ?? next.wall ? next : nil
        }
        return parsed.next(
            after: base(fired: due.wall, now), fired: due.wall, in: zone(of: parsed, rule, now)
        ).map { self.due($0, parsed, rule, now, fired: due.wall) }
    }
}
