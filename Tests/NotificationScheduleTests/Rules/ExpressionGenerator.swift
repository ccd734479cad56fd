import TestSupport

/// Makes random calendar expressions, the same ones for the same seed.
struct ExpressionGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    mutating func one<Value>(of values: [Value]) -> Value {
        values[number(0...values.count - 1)]
    }

    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    /// Zones of every kind: some change their offset at midnight, some by half an hour, some never.
    static let zones = [
        "UTC", "utc", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "America/Santiago",
        "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo", "America/Sao_Paulo",
    ]

    /// Returns an expression, valid in most cases.
    mutating func expression() -> String {
        if chance(5) {
            let names = [
                "minutely", "hourly", "Daily", "weekly", "monthly", "quarterly", "yearly",
                "annually", "semi-annually", "biannually", "SEMIANNUALLY",
            ]
            return one(of: names) + zone()
        }
        let parts = [chance(35) ? weekdays() : nil, chance(75) ? date() : nil]
        let time = chance(85) ? self.time() : nil
        let text = (parts + [time]).compactMap(\.self).joined(separator: " ")
        return (text.isEmpty ? "*-*-*" : text) + zone()
    }

    private mutating func zone() -> String {
        chance(35) ? " " + one(of: Self.zones) : ""
    }

    private mutating func weekdays() -> String {
        let names = ["Mon", "tuesday", "Wed", "Thu", "FRI", "Saturday", "sun"]
        return (0..<number(1...3)).map { _ in
            let first = number(0...6)
            guard chance(30) else { return names[first] }
            return names[first] + one(of: ["..", "..", "-"]) + names[number(first...6)]
        }.joined(separator: ",") + (chance(5) ? "," : "")
    }

    private mutating func date() -> String {
        let isFromEnd = chance(25)
        let day = list(isFromEnd ? 1...28 : 1...31, star: 35)
        let month = list(1...12, star: 55)
        let rest = month + (isFromEnd ? "~" : "-") + day
        if chance(30) { return rest }
        let years = chance(80) ? "*" : list(chance(50) ? 1_990...2_060 : 0...99, star: 10)
        return years + "-" + rest
    }

    private mutating func time() -> String {
        let text = list(0...23, star: 30) + ":" + list(0...59, star: 30)
        guard chance(50) else { return text }
        return text + ":" + (chance(30) ? fractions() : list(0...59, star: 20))
    }

    private mutating func fractions() -> String {
        let start = "\(number(0...30)).\(number(0...9_999_999))"
        switch number(1...4) {
        case 1: return start
        case 2: return start + "/\(number(0...20)).\(number(1...999))"
        case 3: return start + "..\(number(31...59)).\(number(0...99))"
        default: return start + "..\(number(31...59))/\(number(1...9)).5"
        }
    }

    private mutating func list(_ range: ClosedRange<Int>, star: Int) -> String {
        if chance(star) { return "*" }
        return (0..<(chance(70) ? 1 : number(2...4))).map { _ in element(range) }
            .joined(separator: ",")
    }

    private mutating func element(_ range: ClosedRange<Int>) -> String {
        // A value is rarely outside of its range.
        let first = chance(1) ? range.upperBound + 1 : number(range)
        let pad = chance(30) && first < 10 ? "0" : ""
        var text = pad + String(first)
        if chance(25) { text += "..\(number(min(first, range.upperBound)...range.upperBound))" }
        if chance(25) { text += "/\(number(1...max(1, range.count / 3)))" }
        return text
    }
}
