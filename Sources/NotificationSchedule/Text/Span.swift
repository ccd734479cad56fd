internal import NotificationModel

/// A length of time as people write it: `10m`, `1h30m`, `90s`, `2 days`, `1.5h`.
///
/// `m` stands for minutes. A number without a unit is an error. Months and years are errors too,
/// because they have no fixed length.
public struct Span: Hashable, Sendable {
    /// The length in microseconds, more than 0.
    public let microseconds: Int64

    /// The length in seconds.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// Makes a span from its length in microseconds.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Reads a span.
    ///
    /// - Throws: `TimeTextError` with the problem, its place in the text, and a remedy.
    public init(_ text: String) throws(TimeTextError) {
        var tokens = TimeToken.split(text)
        if tokens.first?.text == "in" { tokens.removeFirst() }
        try self.init(tokens: tokens, in: text)
    }

    init(tokens: [TimeToken], in text: String) throws(TimeTextError) {
        func error(
            _ range: Range<Int>, _ problem: String, _ remedy: String = Self.remedy
        ) -> TimeTextError {
            TimeTextError(text: text, range: range, problem: problem, remedy: remedy)
        }
        let parts = tokens.flatMap { $0.splitAtDigits() }.filter { $0.text != "and" }
        let whole = 0..<max(1, text.count)
        guard !parts.isEmpty else { throw error(whole, "The length of time is empty") }
        var total: Int64 = 0
        var index = 0
        while index < parts.count {
            let number = parts[index]
            guard let value = DecimalNumber(number.text) else {
                let shown = number.text.quotedForMessage(limit: 20)
                throw error(number.range, "A number was expected at \(shown)")
            }
            guard index + 1 < parts.count else {
                throw error(number.range, "The number '\(number.text)' has no unit")
            }
            let word = parts[index + 1]
            guard let unit = Self.units.first(where: { $0.words.contains(word.text) }) else {
                let (problem, remedy) = Self.unknown(word.text)
                throw error(word.range, problem, remedy)
            }
            total = total.saturatingAdd(value.multiplied(by: unit.microseconds) ?? .max)
            guard total <= Self.longest else {
                throw error(
                    number.range.lowerBound..<word.range.upperBound,
                    "The length of time is more than 1000 years", "use a shorter one")
            }
            index += 2
        }
        guard total > 0 else {
            // The length may be that of a snooze, a grace or a rule, so the remedy does not name
            // 'send'.
            throw error(whole, "The length of time is zero", "write a longer one, such as '10m'")
        }
        microseconds = total
    }

    private static let longest = Limits.interval.range.upperBound * 1_000_000

    private static let remedy = "write it with a unit, such as '10m', '1h30m' or '2 days'"

    private static let units: [(microseconds: Int64, words: [String])] = [
        (1_000, ["ms", "msec", "msecs", "millisecond", "milliseconds"]),
        (1_000_000, ["s", "sec", "secs", "second", "seconds"]),
        (60_000_000, ["m", "min", "mins", "minute", "minutes"]),
        (3_600_000_000, ["h", "hr", "hrs", "hour", "hours"]),
        (86_400_000_000, ["d", "day", "days"]),
        (604_800_000_000, ["w", "week", "weeks"]),
    ]

    private static func unknown(_ word: String) -> (String, String) {
        if ["month", "months", "mo", "year", "years", "y"].contains(word) {
            return (
                "A month or a year has no fixed length",
                "write days or weeks, or use --at with a date"
            )
        }
        let hint = KnownWords.hint(for: word, among: units.flatMap(\.words).filter { $0.count > 2 })
        return (
            "Unknown unit \(word.quotedForMessage(limit: 20))",
            hint.map { "did you mean '\($0)'?" } ?? "units are s, m (minutes), h, d and w"
        )
    }
}

/// A decimal number without a sign.
///
/// The number is exact: `0.1h` is 360 s.
struct DecimalNumber: Hashable {
    var digits: Int64
    var divisor: Int64

    /// Reads `12`, `1.5` or `.5`; nil for any other text, for more than 18 digits, or for more than
    /// 9 digits after the point.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        let all = parts[0] + fraction
        guard all.count <= 18, fraction.count <= 9, all.utf8.allSatisfy(\.isASCIIDigit),
            let digits = Int64(all)
        else { return nil }
        self.digits = digits
        divisor = fraction.reduce(1) { power, _ in power * 10 }
    }

    /// The number times a unit, rounded down; nil if the result does not fit in `Int64`.
    func multiplied(by unit: Int64) -> Int64? {
        Int64(exactly: Int128(digits) * Int128(unit) / Int128(divisor))
    }
}
