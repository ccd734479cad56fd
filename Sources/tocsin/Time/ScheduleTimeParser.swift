internal import NotificationModel
internal import NotificationSchedule

/// Reads the times and rules of a command line; its errors point at the mistake.
struct ScheduleTimeParser {
    private let environment: ToolEnvironment
    /// The instant after which dates begin.
    let now: Instant
    private let zone: ZoneRules
    private let bounds: BoundsOptions
    private let until: Instant?
    private let past: PastOption?

    /// Reads the bounds.
    ///
    /// Dates begin after `now`; by default, after the time of the tool's call. `--until` counts
    /// from `now`, too. A time in the past is an error, unless `past` allows it.
    init(
        _ bounds: BoundsOptions, after now: Instant? = nil, past: PastOption? = nil,
        in environment: ToolEnvironment
    ) throws(ToolError) {
        self.environment = environment
        self.past = past
        self.now = now ?? environment.now
        let zone = try bounds.resolvedZone(in: environment)
        self.zone = zone
        self.bounds = bounds
        var start = environment
        start.now = self.now
        // With `--after`, an end before `start.now` may still lie in the future, so accept it.
        let isEarlyEndAllowed = start.now != environment.now
        until = try translatingErrors {
            try bounds.until.map {
                try Self.lastInstant(
                    of: $0, zone: zone, isPastAllowed: isEarlyEndAllowed, in: start)
            }
        }
    }

    /// The last instant of `--until`; a date without a time means the end of its day.
    private static func lastInstant(
        of text: String, zone: ZoneRules, isPastAllowed: Bool, in environment: ToolEnvironment
    ) throws(TimeTextError) -> Instant {
        do throws(TimeTextError) {
            return try environment.instant(
                of: isDate(text) ? text + " 23:59:59" : text, zone: zone,
                isPastAllowed: isPastAllowed)
        } catch var error {
            error.text = text
            if error.kind == .past {
                error.range = 0..<text.count
                error.remedy = "give a later end"
            }
            throw error
        }
    }

    /// Whether the text has the form of a date without a time, such as `2026-12-24`.
    static func isDate(_ text: String) -> Bool {
        text.count == 10 && text.split(separator: "-").count == 3
    }

    // MARK: - Once

    func span(_ text: String) throws(TimeTextError) -> ScheduleTime {
        let length = try Span(text)
        let date = now.adding(microseconds: length.microseconds)
        return ScheduleTime(
            trigger: .interval(seconds: length.seconds, repeats: false),
            first: Occurrence(instant: date), zone: zone)
    }

    /// Reads a time; a calendar expression gives its next date.
    func time(_ text: String) throws(TimeTextError) -> ScheduleTime {
        let (phrase, name) = environment.splitZone(text)
        let zone = try namedZone(name, of: text)
        do throws(TimeTextError) {
            let date = try TimePhrase.occurrence(
                phrase, now: now, zone: zone, isPastAllowed: past?.isOK ?? false)
            guard date.instant > now else {
                return ScheduleTime(trigger: nil, first: date, zone: zone)
            }
            return once(date, in: zone)
        } catch var error {
            error.text = text
            if error.kind == .past, past != nil {
                error.remedy = "give a later one, or add '--past-ok' to be notified now"
            }
            guard error.kind == .notUnderstood, text.contains(where: { "*~/".contains($0) }),
                let moment = try? calendar(text)
            else { throw error }
            return once(moment.first, in: moment.zone)
        }
    }

    private func once(_ date: Occurrence, in zone: ZoneRules) -> ScheduleTime {
        ScheduleTime(trigger: .at(date.instant), first: date, zone: zone)
    }

    /// The rules of the zone `name`; the zone of the options if `name` is nil or unknown.
    private func namedZone(_ name: String?, of text: String) throws(TimeTextError) -> ZoneRules {
        guard let name, let rules = environment.rules(named: name) else { return zone }
        if let zoneName = bounds.zone, name != zoneName {
            throw TimeTextError(
                .otherZone, text: text, range: 0..<max(1, text.count),
                problem: "The expression has the time zone \(name), '--tz' another one",
                remedy: "leave one of them out")
        }
        return rules
    }

    // MARK: - By a rule

    func words(_ text: String) throws(TimeTextError) -> ScheduleTime {
        try moment(Rule(text, isZone: isZone), text)
    }

    func calendar(_ text: String) throws(TimeTextError) -> ScheduleTime {
        try moment(Rule(.calendar(CalendarExpression(text, isZone: isZone))), text)
    }

    func cron(_ text: String) throws(TimeTextError) -> ScheduleTime {
        try moment(Rule(.cron(CronExpression(text))), text)
    }

    private func isZone(_ name: String) -> Bool { environment.rules(named: name) != nil }

    private func moment(_ rule: Rule, _ text: String) throws(TimeTextError) -> ScheduleTime {
        let zone = try namedZone(rule.timeZone, of: text)
        var bounded = rule.anchored(after: now, in: zone)
        guard bounded.next(after: now, in: zone) != nil else {
            throw error(text, "This rule never fires from now on", "check its days and its year")
        }
        (bounded.until, bounded.count) = (until, bounds.count)
        guard let first = bounded.next(after: now, in: zone) else {
            throw error(
                text, "This rule does not fire before '--until'", "give a later end")
        }
        // Send the zone of `TZ` with the rule: a daemon without `TZ` would find other dates.
        let variable = bounded.interval == nil ? environment.zoneOfVariable() : nil
        let trigger = NotificationTrigger.rule(
            NotificationRule(
                bounded.description, timeZone: rule.timeZone == nil ? bounds.zone ?? variable : nil,
                until: until, count: bounds.count))
        return ScheduleTime(trigger: trigger, first: first, rule: bounded, zone: zone)
    }

    /// Throws an error if `--until` or `--count` is given for a time that happens once.
    func checkBounds(of moment: ScheduleTime, _ text: String) throws(TimeTextError) {
        guard let bound = bounds.bound, moment.rule == nil else { return }
        throw error(
            text, "'\(bound)' belongs to a rule, and this happens once",
            "leave it out, or give a rule such as 'day at 9'")
    }

    private func error(_ text: String, _ problem: String, _ remedy: String) -> TimeTextError {
        TimeTextError(text: text, range: 0..<max(1, text.count), problem: problem, remedy: remedy)
    }
}

// MARK: - Any form

extension ScheduleTimeParser {
    /// Reads a time, a rule, a cron expression or a calendar expression.
    func any(_ text: String) throws(TimeTextError) -> ScheduleTime {
        // The fields of a crontab may have tabs between them.
        let words = text.split { " \t".contains($0) }
        if Self.isCron(words) { return try cron(text) }
        if let first = words.first,
            ["every", "each", "calendar", "cron"].contains(first.lowercased())
        {
            return try self.words(text)
        }
        if Self.isCalendar(text) { return try calendar(text) }
        do throws(TimeTextError) {
            return try time(text)
        } catch {
            // Throw the error of the grammar that understood more of the text. If both grammars
            // stopped at the same place, throw the error of the one that knows a similar word.
            do throws(TimeTextError) {
                return try self.words(text)
            } catch let other {
                if let moment = try? calendar(text) { return moment }
                let isAtSamePlace = error.range.lowerBound == other.range.lowerBound
                let isNearer =
                    error.range.lowerBound > other.range.lowerBound
                    || isAtSamePlace && error.suggestsWord && !other.suggestsWord
                    || error.knowsWord && !other.knowsWord
                        && (!other.suggestsWord || isAtSamePlace)
                throw error.kind != .notUnderstood || isNearer ? error : other
            }
        }
    }

    /// Whether the words are the five fields of cron, or a name such as `@daily`.
    private static func isCron(_ words: [Substring]) -> Bool {
        guard let first = words.first else { return false }
        if first.hasPrefix("@") { return first.dropFirst().first?.isLetter == true }
        return words.count >= 5 && (first.first == "*" || first.first?.isNumber == true)
            && words[1].contains { $0.isNumber || $0 == "*" }
            && !words.prefix(5).contains { $0.contains(":") }
            && words.prefix(2).allSatisfy { $0.allSatisfy { "0123456789*/,-".contains($0) } }
    }

    /// Whether the text has a character or a name that only calendar expressions have.
    private static func isCalendar(_ text: String) -> Bool {
        let names = [
            "minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annually",
            "semiannually", "semi-annually", "biannually", "bi-annually",
        ]
        let first = text.split(separator: " ").first.map { $0.lowercased() } ?? ""
        return text.contains { "*~".contains($0) } || names.contains(first)
    }
}

extension ToolEnvironment {
    /// Splits a time such as `8am America/New_York`; without a known zone at its end, the name is
    /// nil.
    ///
    /// Only a name with a slash counts as a zone: POSIX gives `UTC+2` the opposite sign.
    fileprivate func splitZone(_ text: String) -> (phrase: String, name: String?) {
        let words = text.split(separator: " ")
        guard words.count > 1, let word = words.last, word.contains("/"),
            rules(named: String(word)) != nil
        else { return (text, nil) }
        return (String(text[..<word.startIndex]), String(word))
    }

    /// The instant of a time; `zone` is used if the time itself names no zone.
    func instant(
        of text: String, zone: ZoneRules, isPastAllowed: Bool = false
    ) throws(TimeTextError) -> Instant {
        let (phrase, name) = splitZone(text)
        return try TimePhrase.resolve(
            phrase, now: now, zone: name.flatMap(rules(named:)) ?? zone,
            isPastAllowed: isPastAllowed)
    }
}

extension TimeTextError {
    fileprivate var suggestsWord: Bool { remedy.hasPrefix("did you") }

    /// Whether the grammar knows the word, so that its error says more than "unknown".
    fileprivate var knowsWord: Bool {
        !problem.hasPrefix("Unknown ") && !problem.hasPrefix("It is unclear ")
    }
}

/// The time of a notification: the trigger for the daemon, and the dates for the user.
struct ScheduleTime {
    /// The trigger for the daemon; nil for a past time, so that the notification is shown now.
    var trigger: NotificationTrigger?
    var first: Occurrence
    /// The rule of the later dates; nil for a time that happens once.
    var rule: Rule?
    var zone: ZoneRules

    /// `every day at 09:00, next Sun 2026-11-22 09:00:00 CET (in 21 h)`.
    func line(now: Instant) -> String {
        guard trigger != nil else { return "now; \(zone.rfc3339(first.instant)) is past" }
        let rule = rule.map { "\($0), next " } ?? ""
        return rule + RelativeTime(now: now, zone: zone).line(first)
    }

    func dates(after instant: Instant, limit: Int) -> [Occurrence] {
        if let rule { return rule.dates(after: instant, in: zone, limit: limit) }
        return first.instant > instant ? [first] : []
    }
}
