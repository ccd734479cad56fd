internal import NotificationModel

extension WordRule: CustomStringConvertible {
    /// The rule in its canonical words: `every mon,wed at 09:00`.
    public var description: String {
        switch kind {
        case .interval(let length): return "every " + Self.text(interval: length)
        case .dates(let pattern, let times):
            let time = times.map(\.description).joined(separator: ",")
            let from = pattern.from.map { " from " + $0.dateText } ?? ""
            return "every \(pattern) at \(time)\(from)"
        }
    }

    /// The text of an interval, such as `1h30m`.
    private static func text(interval: Int64) -> String {
        let seconds = interval / 1_000_000
        let units = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m")]
        var text = units.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        let fraction = interval % 1_000_000
        if seconds % 60 > 0 || fraction > 0 {
            text += "\(seconds % 60)\(Int(fraction).fractionText)s"
        }
        return text
    }
}

extension TimeOfDay: CustomStringConvertible {
    /// `09:30`, with seconds and a fraction only if they are not zero.
    var description: String {
        let minutes = hour.padded(2) + ":" + minute.padded(2)
        guard second > 0 || microsecond > 0 else { return minutes }
        return minutes + ":" + second.padded(2) + microsecond.fractionText
    }
}

extension RuleDays: CustomStringConvertible {
    static let ordinals = ["first", "second", "third", "fourth", "fifth"]
    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    var description: String {
        switch days {
        case .every: return step > 1 ? "\(step) days" : "day"
        case .weekdays(let weekdays):
            return (step > 1 ? "\(step) weeks on " : "") + Self.text(weekdays: weekdays)
        case .numbered(let numbers):
            return counted("month") + " on the " + Self.list(numbers.map(Self.text(day:)))
        case .ordinal(let ordinals, let weekdays):
            let names = ordinals.map { $0 < 0 ? "last" : Self.ordinals[$0 - 1] }
            let day = Self.list(names) + " " + Self.text(weekdays: weekdays)
            let months = months == 0 ? "" : " of " + Self.list(monthNames)
            guard step > 1 else { return day + (months.isEmpty ? " of month" : months) }
            return counted(months.isEmpty ? "month" : "year") + " on the " + day + months
        case .dates(let dates):
            return counted("year") + " on "
                + Self.list(dates.map { "\(Self.months[$0.month - 1]) \($0.day)" })
        }
    }

    private var monthNames: [String] {
        (1...12).filter { months & 1 << UInt16($0) != 0 }.map { Self.months[$0 - 1] }
    }

    private func counted(_ unit: String) -> String { step > 1 ? "\(step) \(unit)s" : unit }

    private static func list(_ texts: [String]) -> String { texts.joined(separator: ",") }

    /// The text of a set of weekdays: one full name, the word for a known set, or a list of short
    /// names.
    private static func text(weekdays: UInt8) -> String {
        switch weekdays {
        case everyWeekday: return "day"
        case workdays: return "weekday"
        case weekend: return "weekend"
        default:
            // List the weekdays beginning with Monday; bit 0 is Sunday.
            let names = [1, 2, 3, 4, 5, 6, 0].filter { weekdays & 1 << UInt8($0) != 0 }
                .map { PhraseDay.weekdays[$0] }
            return names.count == 1 ? names[0][0] : list(names.map { $0[1] })
        }
    }

    /// The text of a day of the month, such as `1st`, `22nd` or `last day`.
    private static func text(day: Int) -> String {
        if day < 0 { return "last day" }
        switch (day % 10, day / 10) {
        case (1, let tens) where tens != 1: return "\(day)st"
        case (2, let tens) where tens != 1: return "\(day)nd"
        case (3, let tens) where tens != 1: return "\(day)rd"
        default: return "\(day)th"
        }
    }
}
