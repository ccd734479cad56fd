internal import NotificationModel

extension RecurringRule {
    /// Reads a rule in the form of the `TZ` variable or of a TZif footer.
    init(parsing text: some StringProtocol) throws(ZoneError) {
        var reader = RuleReader(text: Array(text.utf8))
        let name = try reader.name()
        standard = LocalTimeType(offset: -(try reader.time(hours: 24)), abbreviation: name)
        daylight = nil
        guard !reader.isAtEnd else { return }
        let summer = try reader.name()
        var offset = standard.offset + 3_600
        if !reader.isAtEnd, reader.next != UInt8(ascii: ",") {
            offset = -(try reader.time(hours: 24))
        }
        let type = LocalTimeType(offset: offset, isDaylightSaving: true, abbreviation: summer)
        var start = Change(day: .weekday(month: 3, week: 2, weekday: 0), time: 7_200)
        var end = Change(day: .weekday(month: 11, week: 1, weekday: 0), time: 7_200)
        // If the rule has no dates, glibc uses the dates of the United States.
        if !reader.isAtEnd {
            try reader.expect(",")
            start = try reader.change()
            try reader.expect(",")
            end = try reader.change()
        }
        guard reader.isAtEnd else {
            throw reader.error("unexpected text follows at character \(reader.index + 1)")
        }
        daylight = Daylight(type: type, start: start, end: end)
    }
}

private struct RuleReader {
    let text: [UInt8]
    var index = 0

    var isAtEnd: Bool { index >= text.count }
    var next: UInt8? { isAtEnd ? nil : text[index] }

    func error(_ problem: String) -> ZoneError {
        let shown = String(decoding: text.prefix(60), as: UTF8.self)
        return ZoneError("the rule \(shown.debugDescription) cannot be read: \(problem)")
    }

    mutating func expect(_ character: Unicode.Scalar) throws(ZoneError) {
        guard next == UInt8(ascii: character) else {
            throw error("'\(character)' is missing at character \(index + 1)")
        }
        index += 1
    }

    mutating func name() throws(ZoneError) -> String {
        let isQuoted = next == UInt8(ascii: "<")
        if isQuoted { index += 1 }
        let start = index
        while let byte = next, byte.isASCIILetter || isQuoted && Self.isSignOrDigit(byte) {
            index += 1
        }
        let name = String(decoding: text[start..<index], as: UTF8.self)
        guard (3...30).contains(name.utf8.count) else {
            throw error("an abbreviation of three letters or more is missing")
        }
        if isQuoted { try expect(">") }
        return name
    }

    /// Reads `hh[:mm[:ss]]`, with or without a sign; returns seconds.
    mutating func time(hours limit: Int) throws(ZoneError) -> Int {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { index += 1 }
        var seconds = try number(0...limit) * 3_600
        for unit in [60, 1] where next == UInt8(ascii: ":") {
            index += 1
            seconds += try number(0...59) * unit
        }
        return isNegative ? -seconds : seconds
    }

    mutating func change() throws(ZoneError) -> RecurringRule.Change {
        let day: RecurringRule.Change.Day
        switch next {
        case UInt8(ascii: "J"):
            index += 1
            day = .julian(try number(1...365))
        case UInt8(ascii: "M"):
            index += 1
            let month = try number(1...12)
            try expect(".")
            let week = try number(1...5)
            try expect(".")
            day = .weekday(month: month, week: week, weekday: try number(0...6))
        default:
            day = .ofYear(try number(0...365))
        }
        guard next == UInt8(ascii: "/") else { return .init(day: day, time: 7_200) }
        index += 1
        return .init(day: day, time: try time(hours: 167))
    }

    private mutating func number(_ range: ClosedRange<Int>) throws(ZoneError) -> Int {
        let start = index
        var value = 0
        while let byte = next, byte.isASCIIDigit, index - start < 4 {
            value = value * 10 + Int(byte - 48)
            index += 1
        }
        guard index > start, range.contains(value) else {
            throw error(
                "a number from \(range.lowerBound) to \(range.upperBound) is missing at character "
                    + "\(start + 1)")
        }
        return value
    }

    private static func isSignOrDigit(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
}

/// The names that Foundation gives zones of a fixed offset: `GMT+0530`, `GMT-8`, `UTC+01:00`.
enum FixedOffsetName {
    /// Seconds east of UTC; nil for any other name.
    static func offset(of name: String) -> Int? {
        guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
        let rest = name.dropFirst(3)
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard (1...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits)
        else { return nil }
        // If digits of the minutes or seconds are missing, they are zero.
        let all = number * [1: 10_000, 2: 10_000, 3: 100, 4: 100][digits.utf8.count, default: 1]
        guard all / 100 % 100 < 60, all % 100 < 60 else { return nil }
        let seconds = all / 10_000 * 3_600 + all / 100 % 100 * 60 + all % 100
        guard seconds <= 18 * 3_600 else { return nil }
        return sign == "-" ? -seconds : seconds
    }
}
