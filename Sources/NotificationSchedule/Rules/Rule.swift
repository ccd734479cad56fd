public import NotificationModel

/// A rule that fires repeatedly: a calendar expression, a cron expression or words.
///
/// The first word of a rule's text tells the kind of the pattern: `calendar Mon *-*-* 09:00:00`,
/// `cron 0 9 * * 1`, `every monday at 09:00`.
///
/// All dates of a rule are within its bounds, `until` and `count`, and not after `Instant.latest`.
///
/// A rule does not remember which dates have fired: the caller passes the last of these dates.
public struct Rule: Hashable, Sendable {
    /// The kinds of patterns.
    public enum Pattern: Hashable, Sendable {
        /// A calendar event expression of systemd.
        case calendar(CalendarExpression)
        /// A cron expression.
        case cron(CronExpression)
        /// A rule in words.
        case words(WordRule)
    }

    /// The pattern of the dates.
    public var pattern: Pattern
    /// The last instant at which the rule may fire; nil for no limit.
    public var until: Instant?
    /// How many times the rule may fire from now on; nil for no limit.
    public var count: Int?

    /// Makes a rule.
    public init(_ pattern: Pattern, until: Instant? = nil, count: Int? = nil) {
        self.pattern = pattern
        self.until = until
        self.count = count
    }

    /// Reads the text of a rule.
    ///
    /// If the text begins with neither `calendar` nor `cron`, it is a rule in words. `isZone` tells
    /// whether a time zone exists. By default, every name that begins with a letter counts as a
    /// zone.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy.
    public init(
        _ text: String, until: Instant? = nil, count: Int? = nil,
        isZone: @escaping (String) -> Bool = { _ in true }
    ) throws(TimeTextError) {
        guard text.utf8.count <= Limits.ruleText.most else {
            throw TimeTextError(
                text: text, range: 0..<text.count,
                problem: "The rule has more than \(Limits.ruleText.most) bytes",
                remedy: "split it into several requests")
        }
        if text.hasPrefix(Self.calendarPrefix) {
            let rest = String(text.dropFirst(Self.calendarPrefix.count))
            pattern = .calendar(try CalendarExpression(rest, isZone: isZone))
        } else if text.hasPrefix(Self.cronPrefix) {
            let rest = String(text.dropFirst(Self.cronPrefix.count))
            pattern = .cron(try CronExpression(rest))
        } else {
            pattern = .words(try WordRule(text))
        }
        (self.until, self.count) = (until, count)
    }

    private static let calendarPrefix = "calendar "
    private static let cronPrefix = "cron "

    /// The zone that the rule's text names.
    ///
    /// If the text names no zone, this is nil, and the caller chooses the zone.
    public var timeZone: String? {
        if case .calendar(let expression) = pattern { return expression.timeZone }
        return nil
    }

    /// The length of an interval rule; the intervals count from the moment at which the rule was
    /// scheduled.
    ///
    /// The length is nil for other rules.
    public var interval: Span? {
        if case .words(let rule) = pattern { return rule.interval }
        return nil
    }

    /// The first date after an instant, within the bounds; nil if no date follows.
    ///
    /// If the rule has a `timeZone`, pass the rules of that zone.
    public func next(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        if let count, count < 1 { return nil }
        // A search goes day by day, so it must not start long before the first possible date (1970)
        // or after the last possible date.
        guard instant < .latest else { return nil }
        let instant = max(instant, Instant(microseconds: -1))
        let next =
            switch pattern {
            case .calendar(let expression): expression.next(after: instant, in: zone)
            case .cron(let expression): expression.next(after: instant, in: zone)
            case .words(let rule): rule.next(after: instant, in: zone)
            }
        guard let next, next.instant <= min(until ?? .latest, .latest) else { return nil }
        return next
    }

    /// The first date after an instant, for a rule that has just fired.
    ///
    /// `fired` is the date for which the rule fired, perhaps late.
    ///
    /// If the clocks show an hour twice, a calendar expression fires in the first of the two hours
    /// only. So the search skips the dates in the second hour. The exception is a rule that was
    /// added in the second hour. It did not fire in the first hour, so it fires in the second hour.
    public func next(
        after instant: Instant, fired: Instant, in zone: ZoneRules
    ) -> Occurrence? {
        var next = next(after: instant, in: zone)
        guard case .calendar = pattern else { return next }
        while let found = next, let first = zone.firstPass(of: found.instant) {
            let (earlier, later) = (first.wholeSeconds, found.instant.wholeSeconds)
            let firstEnd = zone.period(at: earlier).end
            guard fired.wholeSeconds < firstEnd else { return next }
            // Skip the rest of the second pass in one step: a rule may have a date in each
            // microsecond. This rest is as long as the rest of the first pass, or ends at another
            // change of the zone.
            let rest = min(firstEnd - earlier, zone.period(at: later).end - later)
            let end = Instant(seconds: later + rest)
            next = self.next(after: end.adding(microseconds: -1), in: zone)
        }
        return next
    }

    /// At most `limit` dates after an instant, within the rule's bounds.
    public func dates(
        after instant: Instant, in zone: ZoneRules, limit: Int
    ) -> [Occurrence] {
        let rule = anchored(after: instant, in: zone)
        var dates: [Occurrence] = []
        var last = instant
        while dates.count < min(limit, count ?? limit), let next = rule.next(after: last, in: zone)
        {
            dates.append(next)
            last = next.instant
        }
        return dates
    }

    /// The rule with the day from which it counts, if the rule needs such a day.
    ///
    /// For example, a rule for every second week needs such a day.
    public func anchored(after instant: Instant, in zone: ZoneRules) -> Rule {
        guard case .words(let words) = pattern else { return self }
        var rule = self
        let instant = max(instant, Instant(microseconds: -1))
        rule.pattern = .words(words.anchored(after: instant, in: zone))
        return rule
    }
}

extension Rule: CustomStringConvertible {
    /// The text of the rule in its canonical form, without its bounds.
    public var description: String {
        switch pattern {
        case .calendar(let expression): Self.calendarPrefix + expression.description
        case .cron(let expression): Self.cronPrefix + expression.description
        case .words(let rule): rule.description
        }
    }
}

/// One date on which a rule fires.
public struct Occurrence: Hashable, Sendable {
    /// A local time that a zone's clocks skip, and both ends of the gap.
    public struct Shift: Hashable, Sendable {
        /// The local time that the rule names.
        public var wanted: CivilTime
        /// The time that the clocks show when they are put forward.
        public var gapStart: CivilTime
        /// The time that the clocks show right after they are put forward.
        public var gapEnd: CivilTime

        /// A sentence for the user.
        public var note: String {
            let day = wanted.dateText
            let time = wanted.clockText
            return "\(time) does not exist on \(day): the clocks go from "
                + "\(gapStart.clockText) to \(gapEnd.clockText)"
        }
    }

    /// When the rule fires.
    public var instant: Instant
    /// The gap that removes the time that the rule names; nil if the clocks show that time.
    public var shift: Shift?

    /// Makes an occurrence.
    public init(instant: Instant, shift: Shift? = nil) {
        self.instant = instant
        self.shift = shift
    }
}
