internal import NotificationModel

/// Reads cron expressions.
///
/// The parser reads five fields, or one of cron's names. Every error names its place in the text
/// and a remedy.
///
/// The parser rejects extensions of other crons, such as `L`, `W` and `#`. It also rejects
/// `@reboot`, which names no date.
struct CronParser {
    private typealias Kind = CronField.Kind

    private var cursor: TextCursor

    init(_ text: String) {
        cursor = TextCursor(text)
    }

    static let names: [(name: String, fields: String)] = [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"),
        ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"),
        ("@annually", "0 0 1 1 *"),
    ]

    private static let remedy =
        "write minute, hour, day, month and weekday, such as '30 9 * * 1-5'"

    mutating func parse() throws(TimeTextError) -> CronExpression {
        guard !cursor.isAtEnd else {
            throw cursor.error(
                0..<1, "The cron expression is empty", Self.remedy)
        }
        if cursor.next == "@" { return try named() }
        let ranges = fields()
        guard ranges.count == Kind.allCases.count else { throw wrongCount(ranges) }
        var fields: [CronField] = []
        for (kind, range) in zip(Kind.allCases, ranges) { fields.append(try field(kind, range)) }
        return CronExpression(
            minute: fields[0], hour: fields[1], day: fields[2], month: fields[3],
            weekday: fields[4])
    }

    private mutating func named() throws(TimeTextError) -> CronExpression {
        let range = cursor.position..<cursor.end
        let name = cursor.string(range).lowercased()
        if let fields = Self.names.first(where: { $0.name == name })?.fields {
            cursor = TextCursor(fields)
            return try parse()
        }
        if name == "@reboot" {
            throw cursor.error(
                range, "'@reboot' names no date",
                "start 'tocsin send' when you log in, or write a date such as '@daily'")
        }
        let hint = KnownWords.hint(for: name, among: Self.names.map(\.name))
        throw cursor.error(
            range, "Unknown name \(cursor.quoted(range))",
            hint.map { "did you mean '\($0)'?" }
                ?? "names are \(Self.names.map(\.name).joined(separator: ", "))")
    }

    private func fields() -> [Range<Int>] {
        cursor.characters[cursor.position..<cursor.end].split { " \t".contains($0) }.map(\.indices)
    }

    private func wrongCount(_ ranges: [Range<Int>]) -> TimeTextError {
        let excess = ranges.dropFirst(5).first.map { $0.lowerBound..<cursor.end }
        return cursor.error(
            excess ?? cursor.end..<cursor.end + 1,
            "A cron expression has five fields, this has \(ranges.count)",
            (ranges.count == 6 ? "leave out the seconds or the command; " : "") + Self.remedy)
    }
}

// MARK: - Fields

extension CronParser {
    private mutating func field(
        _ kind: Kind, _ range: Range<Int>
    ) throws(TimeTextError) -> CronField {
        cursor.position = range.lowerBound
        cursor.end = range.upperBound
        defer { cursor.end = cursor.characters.count }
        var elements: [CronField.Element] = []
        repeat {
            elements.append(try element(kind))
        } while cursor.accept(",")
        guard cursor.isAtEnd else { throw unexpectedCharacter(kind) }
        return CronField(kind, elements)
    }

    private mutating func element(_ kind: Kind) throws(TimeTextError) -> CronField.Element {
        let start = cursor.position
        var element = CronField.Element()
        if !cursor.accept("*") {
            let first = try value(kind)
            element.range = first...first
            if cursor.accept("-") {
                let last = try value(kind)
                guard first <= last else {
                    throw cursor.error(
                        start..<cursor.position, "This range runs backwards",
                        kind == .weekday
                            ? "weeks go from 0, Sunday, to 7, Sunday again: split it, such as "
                                + "'5,6,0,1'"
                            : "write the smaller value first")
                }
                element.range = first...last
            }
        }
        guard cursor.accept("/") else { return element }
        let digits = cursor.position
        let limit = kind.limits.upperBound
        guard let step = Int(cursor.digits()), (1...max(limit, 1)).contains(step) else {
            throw cursor.error(
                digits..<max(digits + 1, cursor.position), "A step from 1 to \(limit) was expected",
                "write it as in '*/2'")
        }
        if let range = element.range, range.count == 1 {
            let (first, last) = (range.lowerBound, kind == .weekday ? 6 : limit)
            let longer = first < last ? "'\(first)-\(last)/\(step)', or " : ""
            throw cursor.error(
                start..<cursor.position, "A step needs a range", "write \(longer)'*/\(step)'")
        }
        element.step = step
        return element
    }

    private mutating func value(_ kind: Kind) throws(TimeTextError) -> Int {
        let start = cursor.position
        let word = cursor.word()
        if !word.isEmpty {
            let range = start..<start + word.count
            guard let index = kind.names.firstIndex(of: word) else {
                throw unknown(kind, word, range)
            }
            cursor.position = range.upperBound
            return index + kind.limits.lowerBound
        }
        let digits = cursor.digits()
        guard !digits.isEmpty else { throw unexpectedCharacter(kind) }
        guard digits.count < 9, let value = Int(digits), kind.limits.contains(value) else {
            throw cursor.error(
                start..<cursor.position, "There is no such \(kind.rawValue)",
                "write a number from \(kind.limits.lowerBound) to \(kind.limits.upperBound)")
        }
        return value
    }

    private func unknown(_ kind: Kind, _ word: String, _ range: Range<Int>) -> TimeTextError {
        if word.allSatisfy({ "lw".contains($0) }) { return unexpectedCharacter(kind) }
        let shown = cursor.quoted(range)
        guard !kind.names.isEmpty else {
            return cursor.error(
                range, "\(shown) is no \(kind.rawValue)",
                "the fields are minute, hour, day, month and weekday, in this order")
        }
        let hint =
            kind.names.first { word.hasPrefix($0) } ?? KnownWords.hint(for: word, among: kind.names)
        return cursor.error(
            range, "Unknown \(kind.rawValue) \(shown)",
            hint.map { "did you mean '\($0)'?" }
                ?? "write a number or one of \(kind.names.joined(separator: ", "))")
    }

    private func unexpectedCharacter(_ kind: Kind) -> TimeTextError {
        let remedy = "write values as '5', '1-5', '1,3' or '*/2'"
        guard let character = cursor.next else {
            return cursor.error(
                cursor.position..<cursor.position + 1, "A \(kind.rawValue) is missing here", remedy)
        }
        let shown = String(character).quotedForMessage(limit: 8)
        let range = cursor.position..<cursor.position + 1
        if "?LlWw#".contains(character) {
            return cursor.error(
                range, "\(shown) is no part of Debian's cron expressions",
                "for days such as the last Friday write a rule: 'last friday of month at 17:00'")
        }
        return cursor.error(range, "\(shown) cannot stand in the \(kind.rawValue)", remedy)
    }
}

extension CronExpression {
    /// Reads an expression.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy.
    public init(_ text: String) throws(TimeTextError) {
        var parser = CronParser(text)
        self = try parser.parse()
    }
}
