internal import NotificationModel

/// Reads rules in words.
///
/// The parser reads an interval, or the days, the times and the first day of a rule. Every error
/// names its place in the text and a remedy.
///
/// A text with two meanings is an error.
struct WordRuleParser {
    let text: String
    private(set) var tokens: [TimeToken]
    var index = 0

    init(_ text: String) {
        self.text = text
        tokens = TimeToken.split(text)
    }

    mutating func parse() throws(TimeTextError) -> WordRule {
        _ = accept("every") || accept("each")
        guard next != nil else {
            throw error(
                end, "The rule is empty", "write one such as 'weekday at 9:30' or '15m'")
        }
        if let interval = try readInterval() { return WordRule(kind: .interval(interval)) }
        let start = index
        var pattern = try readPattern()
        let times = try readTimes()
        if case .every = pattern.days, pattern.step > 1, times.isEmpty {
            throw error(
                range(from: start), "This may be a length of time or a rule for days",
                "write '\(pattern.step * 24)h', or '\(pattern.step) days at 9:00'")
        }
        if accept("from") || accept("starting") { pattern.from = try readDate() }
        if let token = next { throw unknown(token, among: ["at", "from"]) }
        let sorted = Set(times).sorted { $0.microsecondOfDay < $1.microsecondOfDay }
        return WordRule(
            kind: .dates(pattern, sorted.isEmpty ? [TimeOfDay(hour: 0)] : sorted))
    }

    // MARK: - Intervals

    private mutating func readInterval() throws(TimeTextError) -> Int64? {
        guard let first = next else { return nil }
        let rest = Array(tokens[index...])
        if rest.count == 1, ["hour", "minute", "second"].contains(first.text) {
            return try interval([TimeToken(text: "1" + first.text, range: first.range)])
        }
        let parts = rest.prefix(2).flatMap { $0.splitAtDigits() }
        guard parts.count >= 1, first.text.first?.isASCIIDigit == true else { return nil }
        let unit = parts.count > 1 ? parts[1].text : ""
        if Self.unit(unit) != nil || Self.suffixes.contains(unit) { return nil }
        // A date such as '24 december' is not an interval.
        if Self.month(unit) != nil || unit == "of" { return nil }
        return try interval(rest)
    }

    private func interval(_ tokens: [TimeToken]) throws(TimeTextError) -> Int64 {
        let length = try Span(tokens: tokens, in: text).microseconds
        guard length >= WordRule.shortestInterval * 1_000_000 else {
            throw error(
                tokens[0].range.lowerBound..<tokens[tokens.count - 1].range.upperBound,
                "This is shorter than a minute",
                "write at least '\(WordRule.shortestInterval)s', or use 'in' to fire once")
        }
        return length
    }

    // MARK: - Times and dates

    /// Reads the times of day; the result may be empty.
    private mutating func readTimes() throws(TimeTextError) -> [TimeOfDay] {
        let at = next
        let isAnnounced = accept("at")
        tokens.replaceSubrange(index..., with: tokens[index...].joiningHalvesOfDay)
        var times: [TimeOfDay] = []
        while var token = next, token.text != "from", token.text != "starting" {
            if token.text == "and", !times.isEmpty {
                index += 1
                guard let following = next, !["and", "from", "starting"].contains(following.text)
                else {
                    throw error(
                        token.range, "A time is missing after 'and'",
                        "write one, or leave 'and' out")
                }
                continue
            }
            let isBareHour = token.text.count <= 2 && token.text.allSatisfy(\.isASCIIDigit)
            if isBareHour, isAnnounced { token.text += ":00" }
            guard let time = try TimeOfDay.read(token.text, at: token.range, of: text) else {
                if isBareHour {
                    throw error(
                        token.range, "It is unclear what '\(token.text)' means",
                        "write 'at \(token.text)' for a time of day")
                }
                throw unknown(token, among: isAnnounced ? TimeOfDay.words : ["at", "from"])
            }
            times.append(time)
            index += 1
        }
        if isAnnounced, times.isEmpty, let at {
            throw error(at.range, "The time of day is missing", "write one, such as 'at 9:00'")
        }
        return times
    }

    private mutating func readDate() throws(TimeTextError) -> CivilTime {
        guard let token = next else {
            throw error(end, "The date is missing", "write one such as 'from 2026-12-24'")
        }
        guard case .date(let date)? = PhraseDay(date: token.text) else {
            throw error(
                token.range, "\(token.shown) is no date", "write one such as '2026-12-24'")
        }
        index += 1
        return date
    }
}

// MARK: - Words

extension WordRuleParser {
    var next: TimeToken? { index < tokens.count ? tokens[index] : nil }

    /// The place one character after the last word.
    var end: Range<Int> {
        let last = tokens.last?.range.upperBound ?? 0
        return last..<last + 1
    }

    mutating func accept(_ word: String) -> Bool {
        guard next?.text == word else { return false }
        index += 1
        return true
    }

    /// The place from the word with the index `start` to the last word that was read.
    func range(from start: Int) -> Range<Int> {
        guard start < index else { return end }
        return tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound
    }

    func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> TimeTextError {
        TimeTextError(text: text, range: range, problem: problem, remedy: remedy)
    }

    func missing(_ what: String, _ remedy: String) -> TimeTextError {
        if let token = next {
            return error(token.range, "\(what) was expected at \(token.shown)", remedy)
        }
        return error(end, "\(what) is missing", remedy)
    }

    func unknown(_ token: TimeToken, among words: [String] = []) -> TimeTextError {
        let names = ["daily": "day", "hourly": "hour", "weekly": "week on monday"]
        let longer = ["monthly": "month on the 1st", "yearly": "year on january 1"]
        let known = words + Self.words
        // A known word that stands in a wrong place is no misspelling.
        let near =
            known.contains(token.text) ? nil : KnownWords.hint(for: token.text, among: known)
        let hint = names[token.text] ?? longer[token.text] ?? near
        return error(
            token.range, "Unknown word \(token.shown)",
            hint.map { "did you mean '\($0)'?" }
                ?? "write a rule such as 'weekday at 9:30', 'month on the last day' or '15m'")
    }

    static let words =
        ["every", "other", "day", "weekday", "weekend", "week", "month", "year", "hour", "minute"]
        + ["on", "the", "at", "of", "last", "from"]
        + RuleDays.ordinals + RuleDays.months + PhraseDay.words.dropFirst(3) + TimeOfDay.words
}

extension WordRule {
    /// Reads a rule.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy.
    public init(_ text: String) throws(TimeTextError) {
        var parser = WordRuleParser(text)
        self = try parser.parse()
    }
}

extension TimeToken {
    var shown: String { text.quotedForMessage(limit: 40) }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}

extension TimeOfDay {
    var microsecondOfDay: Int {
        ((hour * 60 + minute) * 60 + second) * 1_000_000 + microsecond
    }
}
