internal import NotificationModel

/// A time of day as people write it: `8am`, `8:30 pm`, `20:15`, `20:15:30.5`, `noon`, `midnight`.
struct TimeOfDay: Hashable {
    var hour: Int
    var minute = 0
    var second = 0
    var microsecond = 0

    static let words = ["noon", "midnight"]

    /// Reads a time of day.
    ///
    /// If the word does not look like a time of day, the result is nil.
    ///
    /// Throws if the word looks like a time of day, but no such time exists.
    static func read(
        _ word: String, at range: Range<Int>, of text: String
    ) throws(TimeTextError) -> TimeOfDay? {
        func error(_ problem: String, _ remedy: String) -> TimeTextError {
            TimeTextError(text: text, range: range, problem: problem, remedy: remedy)
        }
        switch word {
        case "noon": return TimeOfDay(hour: 12)
        case "midnight": return TimeOfDay(hour: 0)
        default: break
        }
        guard word.utf8.first?.isASCIIDigit == true else { return nil }
        var digits = word[...]
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
        if let half {
            guard (1...12).contains(hour) else {
                throw error(
                    "With am or pm the hour goes from 1 to 12",
                    "leave out 'am' or 'pm' for a 24-hour time, such as '20:15'")
            }
            time.hour = hour % 12 + half
        }
        if time.hour == 24, minute == 0, time.second == 0 {
            throw error("24:00 belongs to two days", "write '00:00' or 'midnight'")
        }
        guard (0...23).contains(time.hour), (0...59).contains(minute),
            (0...59).contains(time.second)
        else {
            throw error(
                "There is no such time of day",
                "hours go from 0 to 23, minutes and seconds from 0 to 59")
        }
        return time
    }

    private static func number(_ text: Substring?, _ length: ClosedRange<Int>) -> Int? {
        guard let text else { return 0 }
        guard length.contains(text.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
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
