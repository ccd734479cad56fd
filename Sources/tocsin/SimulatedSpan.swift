internal import NotificationModel
internal import NotificationSchedule

/// How much time is simulated: a length of time, or years or months of the calendar.
struct SimulatedSpan {
    private static let units: [(months: Int, words: [String])] = [
        (12, ["y", "yr", "yrs", "year", "years"]), (1, ["mo", "month", "months"]),
    ]

    /// The instant that lies so much later, by the calendar of a zone.
    static func end(
        of text: String, from start: Instant, zone: ZoneOffsets
    ) throws(TimeTextError) -> Instant {
        if let months = months(text) { return end(months: months, from: start, zone: zone) }
        var remedy: String?
        do throws(TimeTextError) {
            return start.adding(microseconds: try Span(text).microseconds)
        } catch var error {
            if error.problem.hasPrefix("A month or a year") {
                remedy = "write whole ones alone, such as '1y' or '6 months'"
            }
            error.remedy = remedy ?? error.remedy
            throw error
        }
    }

    private static func months(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let number = Int(digits), (1...1_000).contains(number),
            let found = units.first(where: { $0.words.contains(unit) })
        else { return nil }
        return number * found.months
    }

    /// The same day of the month and time; the last day where the month has no such day.
    private static func end(months: Int, from start: Instant, zone: ZoneOffsets) -> Instant {
        var time = zone.civilTime(at: start)
        let month = time.year * 12 + time.month - 1 + months
        (time.year, time.month) = (month / 12, month % 12 + 1)
        time.day = min(time.day, CivilTime.days(inMonth: time.month, of: time.year))
        return zone.instant(of: time)
    }
}
