public import NotificationModel

/// A point in time as people write it: `8am`, `tomorrow 20:15`, `fri 15:00`, `2026-12-24 18:00`,
/// `2026-12-24T18:00:00+01:00`, `@1790000000`, `now + 10 minutes`.
///
/// A time without a day means its next occurrence. `tonight` alone is 20:00. If a spring gap
/// removes the time, the phrase means the gap's end. If autumn repeats the time, the phrase means
/// the first of the two instants. An unknown word, a day without a time and a past time are errors.
public struct TimePhrase: Sendable {
    let text: String
    let now: Instant
    let zone: ZoneRules
    var day: (value: PhraseDay, range: Range<Int>)?
    var time: (value: TimeOfDay, range: Range<Int>)?
    var offset: (seconds: Int, range: Range<Int>)?

    /// The instant that the text means.
    ///
    /// If `isPastAllowed` is false, a past instant is an error.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy. The error
    ///   for a past instant has the kind `past`.
    public static func resolve(
        _ text: String, now: Instant, zone: ZoneRules, isPastAllowed: Bool = false
    ) throws(TimeTextError) -> Instant {
        try occurrence(text, now: now, zone: zone, isPastAllowed: isPastAllowed).instant
    }

    /// The instant that the text means, and the gap if a gap removes the time in the text.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy. The error
    ///   for a past instant has the kind `past`.
    public static func occurrence(
        _ text: String, now: Instant, zone: ZoneRules, isPastAllowed: Bool = false
    ) throws(TimeTextError) -> Occurrence {
        let tokens = TimeToken.split(text)
        let phrase = TimePhrase(text: text, now: now, zone: zone)
        guard let first = tokens.first else {
            throw phrase.error(0..<1, "The time is empty", "write one such as '8am'")
        }
        let occurrence: Occurrence
        if first.text.hasPrefix("@") {
            occurrence = Occurrence(instant: try phrase.unixTime(tokens))
        } else if let span = try phrase.span(tokens) {
            occurrence = Occurrence(instant: now.adding(microseconds: span.microseconds))
        } else {
            occurrence = try phrase.reading(tokens).resolved()
        }
        guard occurrence.instant <= .latest else {
            throw phrase.error(
                0..<text.count, "The time lies beyond the year 9999", "write an earlier one")
        }
        guard occurrence.instant > now || isPastAllowed else {
            let shown = zone.rfc3339(occurrence.instant)
            throw TimeTextError(
                .past, text: text, range: 0..<text.count, problem: "The time \(shown) has passed",
                remedy: "give a later one, or use 'send' to notify at once")
        }
        return occurrence
    }

    func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> TimeTextError {
        TimeTextError(text: text, range: range, problem: problem, remedy: remedy)
    }

    private func unixTime(_ tokens: [TimeToken]) throws(TimeTextError) -> Instant {
        guard tokens.count == 1, let number = DecimalNumber(String(tokens[0].text.dropFirst()))
        else {
            throw error(
                tokens[0].range, "After '@' a number of seconds since 1970 was expected",
                "write one such as '@1790000000'")
        }
        // For a number that is too large, the caller reports a time beyond the year 9999.
        return Instant(microseconds: number.multiplied(by: 1_000_000) ?? .max)
    }

    /// The span in `in 10m` or `now + 10 minutes`; nil for any other text.
    private func span(_ tokens: [TimeToken]) throws(TimeTextError) -> Span? {
        var rest = tokens
        if rest[0].text == "in" {
            rest.removeFirst()
            return try Span(tokens: rest, in: text)
        }
        guard rest[0].text == "now" || rest[0].text.hasPrefix("now+") else { return nil }
        dropCharacters(3, from: &rest)
        guard rest.first?.text.hasPrefix("+") == true else {
            throw error(
                tokens[0].range, "'now' is not a later time",
                "write 'now + 10 minutes', or use 'send' to notify at once")
        }
        dropCharacters(1, from: &rest)
        return try Span(tokens: rest, in: text)
    }

    private func dropCharacters(_ count: Int, from tokens: inout [TimeToken]) {
        tokens[0].text.removeFirst(count)
        tokens[0].range = tokens[0].range.lowerBound + count..<tokens[0].range.upperBound
        if tokens[0].text.isEmpty { tokens.removeFirst() }
    }
}
