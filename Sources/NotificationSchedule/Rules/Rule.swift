public import NotificationModel

/// A rule that fires again and again: a calendar expression, a cron expression or words, with its
/// bounds.
///
/// Its text tells which of them it is: `calendar Mon *-*-* 09:00:00`, `cron 0 9 * * 1`,
/// `every monday at 09:00`.
public struct Rule: Hashable, Sendable {
    /// What repeats.
    public enum Pattern: Hashable, Sendable {
        /// A calendar event expression of systemd.
        case calendar(CalendarExpression)
        /// A cron expression.
        case cron(CronExpression)
        /// Words.
        case words(WordRule)
    }

    /// What repeats.
    public var pattern: Pattern
    /// The last instant at which it may fire.
    public var until: Instant?
    /// How many times it may fire, from now on.
    public var count: Int?

    /// Makes a rule.
    public init(_ pattern: Pattern, until: Instant? = nil, count: Int? = nil) {
        self.pattern = pattern
        self.until = until
        self.count = count
    }

    /// Reads the text of a rule, or fails with what is wrong and where.
    ///
    /// Without one of the words `calendar` and `cron` before it, it is a rule in words. `isZone`
    /// says which names of time zones there are; any well-formed one by default.
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

    /// The zone that the text itself names; where it is nil the rule follows the zone in which it
    /// is evaluated.
    public var timeZone: String? {
        if case .calendar(let expression) = pattern { return expression.timeZone }
        return nil
    }

    /// The length of an interval, which counts from when the rule was scheduled; nil for others.
    public var interval: Span? {
        if case .words(let rule) = pattern { return rule.interval }
        return nil
    }

    /// The first date after an instant within the bounds, or nil where there is none.
    ///
    /// The zone is that of `timeZone` where the rule names one.
    public func next(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        if let count, count < 1 { return nil }
        // Searches go day by day: none begins before the first date or beyond the last.
        guard instant < .latest else { return nil }
        let instant = max(instant, Instant(microseconds: -1))
        let next =
            switch pattern {
            case .calendar(let expression): expression.next(after: instant, in: zone)
            case .cron(let expression): expression.next(after: instant, in: zone)
            case .words(let rule): rule.next(after: instant, in: zone)
            }
        // The last date that a request may have.
        guard let next, next.instant <= min(until ?? .latest, .latest) else { return nil }
        return next
    }

    /// The first date after an instant, for a rule whose date `fired` has just fired, perhaps late.
    ///
    /// The second pass of a repeated hour is no new date where the first pass has fired, or was
    /// missed and merged into what fired.
    public func next(
        after instant: Instant, fired: Instant, in zone: ZoneRules
    ) -> Occurrence? {
        var next = next(after: instant, in: zone)
        guard case .calendar = pattern else { return next }
        while let found = next, let first = zone.firstPass(of: found.instant), first >= fired {
            next = self.next(after: found.instant, in: zone)
        }
        return next
    }

    /// The dates after an instant, at most so many and as far as the bounds allow.
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

    /// The rule with the day from which every second week or month counts, where it needs one.
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

/// One date on which a rule fires, and why it is not the one that the rule says, where it is not.
public struct Occurrence: Hashable, Sendable {
    /// A local time that a zone's clocks leave out, and what stands in for it.
    public struct Shift: Hashable, Sendable {
        /// The local time that the rule says.
        public var wanted: CivilTime
        /// What the clocks show when they are put forward.
        public var gapStart: CivilTime
        /// What they show right after.
        public var gapEnd: CivilTime

        /// A sentence for people.
        public var note: String {
            let day = wanted.dateText
            let time = wanted.clockText
            return "\(time) does not exist on \(day): the clocks go from "
                + "\(gapStart.clockText) to \(gapEnd.clockText)"
        }
    }

    /// When the rule fires.
    public var instant: Instant
    /// Why it does not fire at the time that it says; nil where it does.
    public var shift: Shift?

    /// Makes an occurrence.
    public init(instant: Instant, shift: Shift? = nil) {
        self.instant = instant
        self.shift = shift
    }
}
