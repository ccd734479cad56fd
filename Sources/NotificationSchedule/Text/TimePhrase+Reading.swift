internal import NotificationModel

extension TimePhrase {
    func reading(_ tokens: [TimeToken]) throws(TimeTextError) -> TimePhrase {
        var phrase = self
        for token in tokens.joiningHalvesOfDay { try phrase.read(token) }
        return phrase
    }

    private mutating func read(_ token: TimeToken) throws(TimeTextError) {
        if ["at", "on"].contains(token.text) { return }
        if let word = PhraseDay(word: token.text) {
            try setDay(word, token.range)
        } else if let seconds = Self.offset(token.text) {
            try setOffset(seconds, token.range)
        } else if PhraseDay.looksLikeDate(token.text.prefix(10)) {
            try readDate(token)
        } else if try !readTime(token) {
            throw unknown(token)
        }
    }

    private mutating func readDate(_ token: TimeToken) throws(TimeTextError) {
        let start = token.range.lowerBound
        guard let date = PhraseDay(date: token.text.prefix(10)) else {
            throw error(
                start..<start + 10, "There is no such day",
                "write a day of the calendar as year-month-day")
        }
        try setDay(date, start..<start + 10)
        let rest = token.text.dropFirst(10)
        guard !rest.isEmpty else { return }
        let part = TimeToken(
            text: String(rest.dropFirst()), range: start + 11..<token.range.upperBound)
        guard rest.first == "t", try readTime(part, isJoined: true) else { throw unknown(token) }
    }

    /// Reads a time, with or without an offset: `18:00:00+01:00`.
    ///
    /// `isJoined` tells whether a date is in the same word. If the word is not a time, the result is
    /// false.
    ///
    /// A text such as `14:00-15:30` may be a start and an end, so it is an error. A negative offset
    /// needs a date in the same word, or seconds, as in RFC 3339.
    private mutating func readTime(
        _ token: TimeToken, isJoined: Bool = false
    ) throws(TimeTextError) -> Bool {
        let sign = token.text.firstIndex { "+-z".contains($0) } ?? token.text.endIndex
        let suffix = String(token.text[sign...])
        let word = String(token.text[..<sign])
        guard let value = try TimeOfDay.read(word, at: token.range, of: text) else { return false }
        guard time == nil else {
            throw error(token.range, "There are two times", "write one time of day")
        }
        time = (value, token.range)
        guard !suffix.isEmpty else { return true }
        let range = token.range.upperBound - suffix.count..<token.range.upperBound
        guard let seconds = Self.offset(suffix) else {
            throw error(range, "This is no offset from UTC", "write one such as '+01:00' or 'Z'")
        }
        let hasSeconds = word.utf8.count { $0 == UInt8(ascii: ":") } == 2
        guard isJoined || hasSeconds || !suffix.hasPrefix("-") else {
            throw error(
                range, "'\(suffix)' may be an end or an offset from UTC",
                "leave it out, or write a blank before an offset")
        }
        try setOffset(seconds, range)
        return true
    }

    private mutating func setDay(
        _ value: PhraseDay, _ range: Range<Int>
    ) throws(TimeTextError) {
        guard day == nil else { throw error(range, "There are two days", "write one day") }
        day = (value, range)
    }

    private mutating func setOffset(
        _ seconds: Int, _ range: Range<Int>
    ) throws(TimeTextError) {
        guard offset == nil else {
            throw error(range, "There are two offsets from UTC", "write one")
        }
        offset = (seconds, range)
    }

    private static func offset(_ text: String) -> Int? {
        if text == "z" || text == "utc" { return 0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"),
            // `Int` would accept a second sign.
            (bytes[1...2] + bytes[4...5]).allSatisfy(\.isASCIIDigit),
            let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)),
            (0...23).contains(hours), (0...59).contains(minutes)
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
    }

    private func unknown(_ token: TimeToken) -> TimeTextError {
        let shown = String(Array(text)[token.range]).quotedForMessage(limit: 40)
        if (try? Span(text)) != nil {
            let whole = text.quotedForMessage(limit: 40)
            return error(
                0..<text.count, "\(whole) is a length of time, not a time",
                "write 'in \(text)', or use --in")
        }
        if (try? Span(tokens: [token], in: text)) != nil {
            return error(
                token.range, "\(shown) is a length of time, not a time",
                "write 'in \(token.text)', or use --in")
        }
        if token.text.utf8.allSatisfy(\.isASCIIDigit), token.text.count <= 2,
            let hour = Int(token.text), hour < 24
        {
            let halves = "'\(token.text):00', '\(token.text)am' or '\(token.text)pm'"
            return error(
                token.range, "It is unclear which hour \(shown) means",
                "write " + ((1...12).contains(hour) ? halves : "'\(token.text):00'"))
        }
        if token.text.contains("/") {
            return error(
                token.range, "\(shown) cannot be used here",
                "write dates as 2026-12-24, and a zone in --tz or as its offset, such as '+01:00'")
        }
        let hint = KnownWords.hint(for: token.text, among: PhraseDay.words + TimeOfDay.words)
        return error(
            token.range, "Unknown word \(shown)",
            hint.map { "did you mean '\($0)'?" }
                ?? "write a time such as '20:15', 'tomorrow 8am' or '2026-12-24 18:00'")
    }
}
