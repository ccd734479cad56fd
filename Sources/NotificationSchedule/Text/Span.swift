internal import NotificationModel

/// A length of time as people write it: `10m`, `1h30m`, `90s`, `2 days`, `1.5h`.
///
/// `m` is minutes. A number without a unit is an error, and so are months and years, which have
/// no fixed length.
public struct Span: Hashable, Sendable {
    /// The length in microseconds, more than 0.
    public let microseconds: Int64

    /// The length in seconds.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// Makes a span of its microseconds.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Reads a span, or fails with what is wrong and where.
    public init(_ text: String) throws(TimeTextError) {
        var tokens = TimeToken.split(text)
        if tokens.first?.text == "in" { tokens.removeFirst() }
        try self.init(tokens: tokens, in: text)
    }

    init(tokens: [TimeToken], in text: String) throws(TimeTextError) {
        let parts = tokens.flatMap { $0.splitAtDigits() }.filter { $0.text != "and" }
        let whole = 0..<max(1, text.count)
        guard !parts.isEmpty else {
            throw TimeTextError(
                text: text, range: whole, problem: "The length of time is empty",
                remedy: Self.remedy)
        }
        var total: Int64 = 0
        var index = 0
        while index < parts.count {
            let number = parts[index]
            guard let value = DecimalNumber(number.text) else {
                throw Self.unexpected(number, in: text)
            }
            guard index + 1 < parts.count else {
                throw TimeTextError(
                    text: text, range: number.range,
                    problem: "The number '\(number.text)' has no unit", remedy: Self.remedy)
            }
            let unit = try Self.unit(parts[index + 1], in: text)
            let sum = total.saturatingAdd(value.multiplied(by: unit) ?? .max)
            guard sum <= Self.longest else {
                throw TimeTextError(
                    text: text, range: number.range.lowerBound..<parts[index + 1].range.upperBound,
                    problem: "The length of time is more than 1000 years",
                    remedy: "use a shorter one")
            }
            total = sum
            index += 2
        }
        guard total > 0 else {
            throw TimeTextError(
                text: text, range: whole, problem: "The length of time is zero",
                remedy: "use 'send' to notify at once, or a longer time such as '10s'")
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

    private static func unit(
        _ token: TimeToken, in text: String
    ) throws(TimeTextError) -> Int64 {
        if let unit = units.first(where: { $0.words.contains(token.text) }) {
            return unit.microseconds
        }
        if ["month", "months", "mo", "year", "years", "y"].contains(token.text) {
            throw TimeTextError(
                text: text, range: token.range,
                problem: "A month or a year has no fixed length",
                remedy: "write days or weeks, or use --at with a date")
        }
        let words = units.flatMap(\.words)
        let hint = KnownWords.hint(for: token.text, among: words.filter { $0.count > 2 })
        throw TimeTextError(
            text: text, range: token.range,
            problem: "Unknown unit \(token.text.quotedForMessage(limit: 20))",
            remedy: hint.map { "did you mean '\($0)'?" }
                ?? "units are s, m (minutes), h, d and w")
    }

    private static func unexpected(_ token: TimeToken, in text: String) -> TimeTextError {
        TimeTextError(
            text: text, range: token.range,
            problem: "A number was expected at \(token.text.quotedForMessage(limit: 20))",
            remedy: remedy)
    }
}

/// A decimal number without sign, held exactly, so that `0.1h` is 360 s and not nearly so.
struct DecimalNumber: Hashable {
    var digits: Int64
    var divisor: Int64

    /// Reads `12`, `1.5` or `.5`; nil for anything else and for more than 18 digits.
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

    /// The number times a unit, rounded down; nil where it does not fit.
    func multiplied(by unit: Int64) -> Int64? {
        Int64(exactly: Int128(digits) * Int128(unit) / Int128(divisor))
    }
}
