internal import NotificationModel

/// A time of day as people write it: `8am`, `8:30 pm`, `20:15`, `20:15:30.5`, `noon`, `midnight`.
struct TimeOfDay: Hashable {
    var hour: Int
    var minute = 0
    var second = 0
    var microsecond = 0

    static let words = ["noon", "midnight"]

    /// Why a text that looks like a time is none.
    struct Mistake: Error {
        var problem: String
        var remedy: String
    }

    /// Reads a time of day; nil where the text does not look like one at all.
    static func read(_ text: String) throws(Mistake) -> TimeOfDay? {
        switch text {
        case "noon": return TimeOfDay(hour: 12)
        case "midnight": return TimeOfDay(hour: 0)
        default: break
        }
        guard text.utf8.first?.isASCIIDigit == true else { return nil }
        var digits = text[...]
        var half: Int?
        if digits.hasSuffix("am") || digits.hasSuffix("pm") {
            half = digits.hasSuffix("pm") ? 12 : 0
            digits = digits.dropLast(2)
        }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.count > 1 || half != nil else { return nil }
        guard let hour = number(parts[0], 1...2),
            let minute = number(parts.dropFirst().first, 2...2)
        else { return nil }
        var time = TimeOfDay(hour: hour, minute: minute)
        if parts.count == 3 {
            guard let (second, microsecond) = seconds(parts[2]) else { return nil }
            time.second = second
            time.microsecond = microsecond
        }
        if let half { time.hour = try twelveHour(hour, half: half) }
        return try time.checked()
    }

    private static func twelveHour(_ hour: Int, half: Int) throws(Mistake) -> Int {
        guard (1...12).contains(hour) else {
            throw Mistake(
                problem: "With am or pm the hour goes from 1 to 12",
                remedy: "write '\(hour):00' for a 24-hour time")
        }
        return hour % 12 + half
    }

    private func checked() throws(Mistake) -> TimeOfDay {
        if hour == 24, minute == 0, second == 0 {
            throw Mistake(
                problem: "24:00 belongs to two days", remedy: "write '00:00' or 'midnight'")
        }
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            throw Mistake(
                problem: "There is no such time of day",
                remedy: "hours go from 0 to 23, minutes and seconds from 0 to 59")
        }
        return self
    }

    private static func number(_ text: Substring?, _ length: ClosedRange<Int>) -> Int? {
        guard let text else { return 0 }
        guard length.contains(text.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(text)
    }

    private static func seconds(_ text: Substring) -> (Int, Int)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let second = number(parts[0], 2...2) else { return nil }
        guard parts.count == 2 else { return (second, 0) }
        let fraction = parts[1]
        guard (1...9).contains(fraction.count), number(fraction, 1...9) != nil else { return nil }
        let padded = (fraction + "000000").prefix(6)
        return Int(padded).map { (second, $0) }
    }
}
