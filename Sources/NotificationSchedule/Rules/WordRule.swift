public import NotificationModel

/// A rule in words: `15m`, `weekday at 9:30`, `first monday of month at 10`, `year on december 24
/// at 18:00`, `2 weeks on friday at 9`.
///
/// If a spring gap removes a time, the rule fires once, at the gap's end. If autumn repeats a time,
/// the rule fires only at the first of the two instants. If a month lacks a day, the rule skips the
/// day. Without a time of day a rule fires at 0:00, as a calendar expression does.
///
/// A rule for every second week or month counts from a day, `from 2026-11-27`. If the text names no
/// such day, the rule counts from the first day on which it fires.
public struct WordRule: Hashable, Sendable {
    enum Kind: Hashable {
        /// At a fixed interval in microseconds, from the moment at which the rule was scheduled.
        case interval(Int64)
        /// At these times of these days.
        case dates(RuleDays, [TimeOfDay])
    }

    var kind: Kind

    /// The shortest interval in seconds, which is Apple's limit for triggers that repeat.
    static let shortestInterval = Limits.repeatedInterval.range.lowerBound

    /// The length of an interval rule; the intervals count from the moment at which the rule was
    /// scheduled.
    ///
    /// The length is nil for other rules.
    public var interval: Span? {
        if case .interval(let length) = kind { return Span(microseconds: length) }
        return nil
    }

    /// The first date after an instant, in a zone; nil if no date follows.
    public func next(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        switch anchored(after: instant, in: zone).kind {
        case .interval(let length):
            return Occurrence(instant: instant.adding(microseconds: length))
        case .dates(let pattern, let times):
            return Self.next(pattern, times, after: instant, in: zone)
        }
    }

    /// The rule with the day from which it counts, if the rule needs such a day.
    ///
    /// The rule counts from the first day on which it fires after `instant`.
    public func anchored(after instant: Instant, in zone: ZoneRules) -> WordRule {
        guard case .dates(var pattern, let times) = kind, pattern.step > 1, pattern.from == nil
        else { return self }
        let first = Self.next(pattern, times, after: instant, in: zone)
        guard let first else { return self }
        let local = first.shift?.wanted ?? zone.civilTime(at: first.instant)
        pattern.from = CivilTime(year: local.year, month: local.month, day: local.day)
        var rule = self
        rule.kind = .dates(pattern, times)
        return rule
    }

    private static func next(
        _ pattern: RuleDays, _ times: [TimeOfDay], after instant: Instant, in zone: ZoneRules
    ) -> Occurrence? {
        // No date after `.latest` can be represented, and a search from there would not end.
        guard instant < .latest else { return nil }
        return zone.firstOccurrence(of: times, after: instant, on: pattern.next(from:))
    }
}

extension ZoneRules {
    /// The first occurrence after an instant at one of these times, on the days that `nextDay`
    /// finds.
    ///
    /// The search skips an occurrence for which `counts` returns false.
    func firstOccurrence(
        of times: [TimeOfDay], after instant: Instant, on nextDay: (CivilTime) -> CivilTime?,
        where counts: (Occurrence) -> Bool = { _ in true }
    ) -> Occurrence? {
        // Start a day early: clocks that are put back over midnight show the previous day again.
        var from = civilTime(at: instant).adding(days: -1)
        while let date = nextDay(from) {
            for time in times {
                let occurrence = occurrence(of: time, on: date)
                if occurrence.instant > instant, counts(occurrence) { return occurrence }
            }
            from = date.adding(days: 1)
        }
        return nil
    }

    func occurrence(of time: TimeOfDay, on date: CivilTime) -> Occurrence {
        let civil = CivilTime(
            year: date.year, month: date.month, day: date.day, hour: time.hour,
            minute: time.minute, second: time.second)
        var occurrence = occurrence(of: civil)
        if occurrence.shift == nil {
            occurrence.instant = occurrence.instant.adding(microseconds: Int64(time.microsecond))
        }
        return occurrence
    }
}
