internal import NotificationModel
internal import NotificationSchedule

/// The dates of a recurring event: a rule from a first date on, with its bounds.
struct Series {
    var rule: Rule
    var recurrence: ICalendarRecurrence
    var first: Instant
    var zone: ZoneOffsets

    private var end: Instant? {
        recurrence.until.map { until in
            // A day is meant as a whole.
            let time = until.isDay ? until.civil.adding(days: 1) : until.civil
            let isUTC = until.zone == "UTC"
            let date = (isUTC ? .fixed(0) : zone).instant(of: time)
            return until.isDay ? date.adding(microseconds: -1) : date
        }
    }

    /// Every date from the first on, within the bounds.
    private func all(while isWanted: (Instant) -> Bool) -> [Instant] {
        var rule = rule
        rule.until = end
        var dates: [Instant] = []
        var last = first.adding(microseconds: -1)
        let count = min(recurrence.count ?? .max, Limits.calendarCount.most)
        while dates.count < count,
            let next = rule.next(after: last, in: zone), isWanted(next.instant)
        {
            dates.append(next.instant)
            last = next.instant
        }
        return dates
    }

    /// Those of some instants at which it does not take place.
    func without(_ dates: Set<Instant>) -> Set<Instant> {
        guard let last = dates.max() else { return [] }
        if recurrence.count != nil { return dates.subtracting(all { $0 <= last }) }
        return dates.filter { date in
            let next = rule.next(after: date.adding(microseconds: -1), in: zone)
            return date < first || date > end ?? date || next?.instant != date
        }
    }

    /// How many dates are left, nil for no limit, and the last instant at which an alarm so many
    /// seconds after each may fire.
    ///
    /// Nil where the first date lies ahead and no rule would wait for it.
    func left(
        after now: Instant, shiftedBy seconds: Int64
    ) -> (count: Int?, until: Instant?)? {
        let shift = seconds * 1_000_000
        let until = end?.adding(microseconds: shift)
        let before = now.adding(microseconds: -shift)
        // Before the first date the rule would fire too early.
        if first > before, let next = rule.next(after: before, in: zone), next.instant < first {
            return nil
        }
        if let until, until <= now { return (0, until) }
        guard let count = recurrence.count else { return (nil, until) }
        return (count - all { $0 <= before }.count, until)
    }

    /// The dates after an instant, as many as are imported and may have to be left out.
    func dates(after instant: Instant) -> [Instant] {
        if recurrence.count != nil {
            var ahead = 0
            let dates = all { date in
                ahead += date > instant ? 1 : 0
                return ahead <= Limits.calendarDates.most * 2
            }
            return dates.filter { $0 > instant }
        }
        var bounded = rule
        bounded.until = end
        return bounded.dates(
            after: max(instant, first.adding(microseconds: -1)), in: zone,
            limit: Limits.calendarDates.most * 2
        ).map(\.instant)
    }
}
