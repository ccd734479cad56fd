internal import NotificationModel

enum PhraseDay: Hashable {
    case today
    case tonight
    case tomorrow
    /// A weekday; 1 is Sunday.
    case weekday(Int)
    case date(CivilTime)

    /// The names of each weekday, beginning with Sunday.
    ///
    /// The full name comes first, and the short name comes second.
    static let weekdays = [
        ["sunday", "sun"], ["monday", "mon"], ["tuesday", "tue", "tues"], ["wednesday", "wed"],
        ["thursday", "thu", "thur", "thurs"], ["friday", "fri"], ["saturday", "sat"],
    ]

    static let words = ["today", "tonight", "tomorrow"] + weekdays.flatMap(\.self)

    /// Reads `today`, `tonight`, `tomorrow` or the name of a weekday; nil for any other word.
    init?(word: String) {
        switch word {
        case "today": self = .today
        case "tonight": self = .tonight
        case "tomorrow": self = .tomorrow
        default:
            guard let index = Self.weekdays.firstIndex(where: { $0.contains(word) }) else {
                return nil
            }
            self = .weekday(index + 1)
        }
    }

    /// Reads `2026-12-24`; nil if the text has another form or there is no such day.
    init?(date text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard Self.looksLikeDate(text), parts.count == 3, let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        self = .date(CivilTime(year: year, month: month, day: day))
    }

    /// Whether the text has the form `2026-12-24`; the day need not exist.
    static func looksLikeDate(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 10
            && bytes.enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : byte.isASCIIDigit
            }
    }
}
