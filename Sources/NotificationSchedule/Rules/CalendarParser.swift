/// Reads calendar event expressions of systemd.
///
/// The parser first reads the zone, which comes last in the text, and then the weekdays, the date
/// and the time. Every error names its place in the text and a remedy.
struct CalendarParser {
    typealias Part = CalendarExpression.Part

    var cursor: TextCursor
    var result = CalendarExpression()
    let isZone: (String) -> Bool

    /// The full and the short name of each weekday; weeks begin on Monday.
    static let weekdays = [1, 2, 3, 4, 5, 6, 0].map { PhraseDay.weekdays[$0].prefix(2) }

    init(_ text: String, isZone: @escaping (String) -> Bool) {
        cursor = TextCursor(text)
        self.isZone = isZone
    }

    mutating func parse() throws(TimeTextError) -> CalendarExpression {
        guard !cursor.isAtEnd else {
            throw cursor.error(
                0..<1, "The calendar expression is empty",
                "write one such as 'Mon..Fri *-*-* 09:30'")
        }
        try readZone()
        let body = cursor.string(cursor.position..<cursor.end)
        if let expression = Self.expression(named: body.lowercased()) {
            cursor = TextCursor(expression)
        }
        try readWeekdays()
        if try !readDate() { try readTime() }
        result.normalize()
        return result
    }

    // MARK: - The zone

    private mutating func readZone() throws(TimeTextError) {
        guard
            let blank = cursor.characters[cursor.position..<cursor.end].lastIndex(of: " "),
            let initial = cursor.peek(blank + 1 - cursor.position), initial.isLetter
        else { return }
        let range = blank + 1..<cursor.end
        let name = cursor.string(range)
        if Self.words.contains(name.lowercased()) { return }
        if name.lowercased() == "utc" {
            result.timeZone = "UTC"
        } else if isZone(name) {
            result.timeZone = name
        } else {
            throw cursor.error(
                range, "There is no time zone \(cursor.quoted(range))",
                "write its name as in /usr/share/zoneinfo, such as 'Europe/Berlin', or 'UTC'")
        }
        cursor.end = blank
        while cursor.end > cursor.position, cursor.characters[cursor.end - 1] == " " {
            cursor.end -= 1
        }
    }

    static let words = weekdays.flatMap(\.self) + shorthands.map(\.0)

    // MARK: - Weekdays

    /// Reads lists and ranges of weekdays.
    ///
    /// If the text does not begin with a letter, this function reads nothing.
    private mutating func readWeekdays() throws(TimeTextError) {
        guard cursor.next?.isLetter == true else { return }
        var rangeStart: (day: Int, place: Int)?
        while true {
            let place = cursor.position
            let day = try readWeekday()
            for each in (rangeStart?.day ?? day)...max(rangeStart?.day ?? day, day) {
                result.weekdays |= 1 << each
            }
            if let start = rangeStart, start.day > day {
                throw cursor.error(
                    start.place..<cursor.position, "This range of weekdays runs backwards",
                    "weeks begin on Monday: split it, such as 'Sat,Sun,Mon'")
            }
            let isListed = cursor.accept(",")
            if cursor.isAtEnd || cursor.next == " " { return cursor.skipBlanks() }
            if isListed {
                rangeStart = nil
            } else if rangeStart == nil, cursor.accept("..") || cursor.accept("-") {
                rangeStart = (day, place)
            } else {
                throw cursor.error(
                    cursor.restOfWord,
                    "\(cursor.quoted(cursor.restOfWord)) cannot follow a weekday",
                    "write a list such as 'Mon,Wed' or a range such as 'Mon..Fri'")
            }
        }
    }

    private mutating func readWeekday() throws(TimeTextError) -> Int {
        let word = cursor.word()
        let range = cursor.position..<cursor.position + word.count
        guard let day = Self.weekdays.firstIndex(where: { $0.contains(word) }) else {
            throw unknownWord(word, word.isEmpty ? cursor.restOfWord : range)
        }
        cursor.position = range.upperBound
        return day
    }

    private func unknownWord(_ word: String, _ range: Range<Int>) -> TimeTextError {
        if word.isEmpty {
            return cursor.error(
                range, "A weekday was expected",
                "write weekdays such as 'Mon,Fri 9:30' or 'Mon..Fri 9:30'")
        }
        if Self.isShorthand(word) { return nameWithOthers(range) }
        let hint = KnownWords.hint(for: word, among: Self.words)
        return cursor.error(
            range, "Unknown word \(cursor.quoted(range))",
            hint.map { "did you mean '\($0)'?" }
                ?? "write weekdays as 'Mon' or 'Monday', months as numbers, such as '*-12-24 18:00'"
        )
    }
}

// MARK: - The named expressions

extension CalendarParser {
    private static let shorthands = [
        ("minutely", "*-*-* *:*"), ("hourly", "*-*-* *:00"), ("daily", "*-*-*"),
        ("weekly", "Mon *-*-*"), ("monthly", "*-*-01"), ("quarterly", "*-01,04,07,10-01"),
        ("yearly", "*-01-01"), ("annually", "*-01-01"), ("semiannually", "*-01,07-01"),
        ("semi-annually", "*-01,07-01"), ("biannually", "*-01,07-01"),
        ("bi-annually", "*-01,07-01"),
    ]

    static func isShorthand(_ word: String) -> Bool { shorthands.contains { $0.0 == word } }

    /// The error for a named expression with other parts beside it.
    func nameWithOthers(_ range: Range<Int>) -> TimeTextError {
        cursor.error(
            range, "\(cursor.quoted(range)) cannot stand beside a weekday, a date or a time",
            "write numbers in its place, such as '*-*-* 9:30'")
    }

    private static func expression(named name: String) -> String? {
        // systemd accepts this misspelling too.
        let name = name == "anually" ? "annually" : name
        return shorthands.first { $0.0 == name }?.1
    }
}

extension CalendarExpression {
    /// Reads an expression.
    ///
    /// `isZone` tells whether a time zone exists. By default, every name that begins with a letter
    /// counts as a zone.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy.
    public init(
        _ text: String, isZone: @escaping (String) -> Bool = { _ in true }
    ) throws(TimeTextError) {
        var parser = CalendarParser(text, isZone: isZone)
        self = try parser.parse()
    }
}
