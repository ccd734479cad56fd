/// The names that Foundation gives zones of a fixed offset: `GMT+0530`, `GMT-8`, `UTC+01:00`.
enum FixedOffsetName {
    /// Seconds east of UTC; nil for any other name.
    static func offset(of name: String) -> Int? {
        guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
        let rest = name.dropFirst(3)
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard (1...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits)
        else { return nil }
        let seconds: Int
        switch digits.utf8.count {
        case 1, 2: seconds = number * 3_600
        case 3, 4:
            guard number % 100 < 60 else { return nil }
            seconds = number / 100 * 3_600 + number % 100 * 60
        default:
            guard number % 100 < 60, number / 100 % 100 < 60 else { return nil }
            seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100
        }
        guard seconds <= 18 * 3_600 else { return nil }
        return sign == "-" ? -seconds : seconds
    }
}
