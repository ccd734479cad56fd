import UserNotifications

/// A series of notifications that starts at the same time on each of the coming days.
///
/// A trigger that repeats every day cannot leave out today alone. So each day has separate
/// requests, and the app adds the requests of later days whenever it runs.
struct DailySeries {
    var start: DateComponents
    /// The number of notifications a day.
    var count: Int
    /// The seconds from one notification to the next.
    var step: Int
    var calendar = Calendar.current

    struct Entry: Equatable {
        var identifier: String
        var components: DateComponents
    }

    /// The notifications of the next `days` days that are after `now` and not before `silentUntil`.
    ///
    /// Yesterday's series is included, because it may continue after midnight.
    func entries(after now: Date, days: Int, silentUntil: Date = .distantPast) -> [Entry] {
        let today = calendar.startOfDay(for: now)
        return (-1..<days).flatMap { day -> [Entry] in
            guard let date = calendar.date(byAdding: .day, value: day, to: today),
                let first = calendar.date(
                    bySettingHour: start.hour ?? 0, minute: start.minute ?? 0,
                    second: start.second ?? 0, of: date)
            else { return [] }
            return (0..<count).map { first.addingTimeInterval(Double($0 * step)) }
                .filter { $0 > now && $0 >= silentUntil }.map(entry)
        }
    }

    /// The identifiers of the requests that fire today.
    ///
    /// Days are compared as dates. Day numbers would fail at the end of a month, because the next
    /// day has the smaller number 1.
    static func ofToday(
        _ pending: [(identifier: String, fires: Date?)], now: Date, calendar: Calendar = .current
    ) -> [String] {
        pending.filter { $0.fires.map { calendar.isDate($0, inSameDayAs: now) } ?? false }
            .map(\.identifier)
    }

    static func tomorrow(after now: Date, calendar: Calendar = .current) -> Date {
        let today = calendar.startOfDay(for: now)
        return calendar.date(byAdding: .day, value: 1, to: today) ?? today
    }

    private func entry(_ date: Date) -> Entry {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
        let name = numbers.map { String(format: "%02d", $0 ?? 0) }.joined(separator: "-")
        return Entry(identifier: "daily-\(name)", components: parts)
    }
}
