internal import NotificationModel
internal import NotificationSchedule

/// When a simulated machine sleeps: `day at 23:00 for 8h`.
struct SuspendText {
    /// How long it sleeps where the text does not say it.
    private static let usual: Int64 = 8 * 3_600_000_000

    /// The rule, in its canonical form.
    var rule: String
    /// How long it sleeps from each of its dates on, in microseconds.
    var length: Int64

    /// Reads a rule in any of its forms, and a length after the word `for`.
    init(_ text: String, reader: MomentReader) throws(TimeTextError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        var (rule, length) = (text, Self.usual)
        if let place = words.lastIndex(of: "for") {
            rule = words[..<place].joined(separator: " ")
            length = try Span(words[(place + 1)...].joined(separator: " ")).microseconds
        }
        guard let found = try reader.any(rule).rule else {
            throw TimeTextError(
                text: rule, range: 0..<max(1, rule.count), problem: "This happens once",
                remedy: "give a rule and how long, such as 'day at 23:00 for 8h'")
        }
        self.rule = found.description
        self.length = length
    }
}
