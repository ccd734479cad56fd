internal import NotificationModel
internal import NotificationSchedule

/// Turns an `RRULE` of iCalendar into a rule in words with exactly the same dates.
///
/// It understands INTERVAL, COUNT and UNTIL, and for each FREQ these parts:
/// - DAILY: BYDAY, if INTERVAL is 1.
/// - WEEKLY: BYDAY.
/// - MONTHLY: BYDAY with numbers of one weekday, such as 2TU, -1FR or 1MO,3MO; or BYMONTHDAY, where
///   -1 is the last day. BYSETPOS may have the numbers instead of BYDAY. BYDAY then is one weekday,
///   all seven days, Monday to Friday, or the weekend.
/// - YEARLY: one BYMONTH, and with it one BYMONTHDAY, or BYDAY as in MONTHLY.
///
/// Source: RFC 5545, 3.3.10.
struct ICalendarRecurrence: Hashable {
    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]
    private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    /// The words of a rule for several weekdays.
    private static let groups: [Set<String>: String] = [
        Set(Self.weekdays): "day", ["MO", "TU", "WE", "TH", "FR"]: "weekday",
        ["SA", "SU"]: "weekend",
    ]
    private let parts: [String: String]
    private let interval: Int
    /// The number of dates, including the first one.
    let count: Int?
    /// The last date.
    let until: ICalendarTime?

    /// Reads the value of an `RRULE`; nil if a part is not supported, occurs twice or is
    /// unreadable.
    init?(_ text: String, zone: String?) {
        var parts: [String: String] = [:]
        for part in text.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, parts.updateValue(pair[1], forKey: pair[0]) == nil else {
                return nil
            }
        }
        let known: Set = [
            "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS",
            "WKST",
        ]
        guard known.isSuperset(of: parts.keys) else { return nil }
        // An unreadable number becomes 0, which the `guard` below refuses.
        interval = parts["INTERVAL"].map { Int($0) ?? 0 } ?? 1
        count = parts["COUNT"].map { Int($0) ?? 0 }
        until = parts["UNTIL"].flatMap { ICalendarTime($0, zone: zone) }
        guard Limits.calendarInterval.contains(interval), count ?? 1 > 0,
            parts["UNTIL"] == nil || until != nil
        else { return nil }
        self.parts = parts
    }

    /// The rule of an alarm that fires `seconds` after each start; nil if no rule has exactly the
    /// dates of this alarm.
    func rule(start: CivilTime, shiftedBy seconds: Int64) -> Rule? {
        let time = CivilTime(seconds: start.seconds + seconds)
        let days = Int(time.dayNumber - start.dayNumber)
        guard let pattern = pattern(start: start, days: days) else { return nil }
        let clock = time.clockText
        let from = interval > 1 ? " from \(time.dateText)" : ""
        return try? Rule("every \(pattern) at \(clock)\(from)")
    }

    /// The parts beginning with BY that a recurrence may have, by its frequency.
    private static let choices: [String: Set<String>] = [
        "DAILY": ["BYDAY"], "WEEKLY": ["BYDAY"],
        "MONTHLY": ["BYDAY", "BYMONTHDAY", "BYSETPOS"],
        "YEARLY": ["BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS"],
    ]

    private func pattern(start: CivilTime, days: Int) -> String? {
        let frequency = parts["FREQ"] ?? ""
        let chosen = parts.keys.filter { $0.hasPrefix("BY") }
        guard Self.choices[frequency]?.isSuperset(of: chosen) == true else { return nil }
        switch (frequency, parts["BYDAY"]) {
        case ("DAILY", nil): return counted("day")
        case ("DAILY", let byDay?): return interval == 1 ? weekdays(byDay, days: days) : nil
        case ("WEEKLY", let byDay):
            let chosen = byDay ?? Self.weekdays[start.weekday - 1]
            guard keepsWeeks(chosen, start: start, days: days) else { return nil }
            let list = weekdays(chosen, days: days)
            return list.map { interval > 1 ? "\(interval) weeks on \($0)" : $0 }
        case ("MONTHLY", let byDay) where days == 0: return monthly(start: start, byDay: byDay)
        case ("YEARLY", _) where days == 0 || interval == 1:
            return yearly(start: start, days: days)
        default: return nil
        }
    }

    /// Whether a rule for every n-th week skips the same weeks as the recurrence.
    ///
    /// The weeks of a rule begin on Monday, but the weeks of a recurrence begin on `WKST`. Also, an
    /// alarm may lie in another week than its event. So each weekday must have the same distance
    /// from the weekday of the start in both kinds of weeks.
    private func keepsWeeks(_ weekdays: String, start: CivilTime, days: Int) -> Bool {
        guard interval > 1 else { return true }
        guard let first = Self.weekdays.firstIndex(of: parts["WKST"] ?? "MO") else { return false }
        // The index of a day within its week, if the day 0 begins the week.
        func weekIndex(_ day: Int) -> Int { (day % 7 + 7) % 7 }
        let own = start.weekday - 1
        return weekdays.split(separator: ",").allSatisfy { name in
            guard let day = Self.weekdays.firstIndex(of: String(name)) else { return false }
            return weekIndex(day - first) - weekIndex(own - first)
                == weekIndex(day + days - 1) - weekIndex(own + days - 1)
        }
    }

    private func counted(_ unit: String) -> String {
        interval > 1 ? "\(interval) \(unit)s" : unit
    }

    /// The names of the weekdays, such as `Mon,Fri`, each moved by this many days.
    private func weekdays(_ text: String, days: Int) -> String? {
        var names: [String] = []
        for part in text.split(separator: ",") {
            guard let index = Self.weekdays.firstIndex(of: String(part)) else { return nil }
            names.append(RelativeTime.days[((index + days) % 7 + 7) % 7])
        }
        return names.isEmpty ? nil : names.joined(separator: ",")
    }

    private func monthly(start: CivilTime, byDay: String?) -> String? {
        if let byDay {
            return ordinal(of: byDay).map { day in
                interval > 1 ? "\(interval) months on the \(day)" : "\(day) of month"
            }
        }
        guard parts["BYSETPOS"] == nil,
            let days = monthDays(parts["BYMONTHDAY"] ?? String(start.day))
        else { return nil }
        return "\(counted("month")) on the \(days)"
    }

    /// The words for numbered weekdays of a month; BYDAY or BYSETPOS has the numbers.
    private func ordinal(of byDay: String) -> String? {
        guard parts["BYMONTHDAY"] == nil else { return nil }
        if let position = parts["BYSETPOS"] { return ordinal(position, of: byDay) }
        return numbered(byDay)
    }

    /// Turns `2TU` into `second Tue`, and `1TU,3TU` into `first,third Tue`.
    private func numbered(_ text: String) -> String? {
        let days = text.split(separator: ",")
        guard let weekday = days.first?.suffix(2), days.allSatisfy({ $0.hasSuffix(weekday) })
        else { return nil }
        let numbers = days.map { $0.dropLast(2) }
        return ordinal(numbers.joined(separator: ","), of: String(weekday))
    }

    /// Turns `-1` of `MO,TU,WE,TH,FR` into `last weekday`, `1,3` of `TU` into `first,third Tue`.
    private func ordinal(_ numbers: String, of weekdays: String) -> String? {
        let group = Self.groups[Set(weekdays.split(separator: ",").map(String.init))]
        guard
            let name = group
                ?? Self.weekdays.firstIndex(of: weekdays).map({ RelativeTime.days[$0] })
        else { return nil }
        var ordinals: [String] = []
        for part in numbers.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part), number == -1 || (1...5).contains(number) else {
                return nil
            }
            ordinals.append(number == -1 ? "last" : Self.ordinals[number - 1])
        }
        return "\(ordinals.joined(separator: ",")) \(name)"
    }

    private func monthDays(_ text: String) -> String? {
        var days: [String] = []
        for part in text.split(separator: ",") {
            switch Int(part) {
            case -1: days.append("last day")
            case let day? where (1...31).contains(day): days.append(String(day))
            default: return nil
            }
        }
        return days.isEmpty ? nil : days.joined(separator: ",")
    }

    private func yearly(start: CivilTime, days: Int) -> String? {
        // Without BYMONTH, BYMONTHDAY names a day of every month, and BYDAY counts in the year.
        guard parts["BYMONTH"] != nil || parts["BYMONTHDAY"] == nil && parts["BYDAY"] == nil else {
            return nil
        }
        let month = Int(parts["BYMONTH"] ?? String(start.month)) ?? 0
        let day = Int(parts["BYMONTHDAY"] ?? String(start.day)) ?? 0
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        if let byDay = parts["BYDAY"] {
            guard days == 0, let day = ordinal(of: byDay) else { return nil }
            let place = "\(day) of \(RelativeTime.months[month - 1])"
            return interval > 1 ? "\(interval) years on the \(place)" : place
        }
        guard parts["BYSETPOS"] == nil, let moved = Self.moved(month: month, day: day, by: days)
        else { return nil }
        return "\(counted("year")) on \(RelativeTime.months[moved.month - 1]) \(moved.day)"
    }

    /// A day of each year, moved by a number of days; nil if the result depends on leap days.
    private static func moved(month: Int, day: Int, by days: Int) -> (month: Int, day: Int)? {
        if days == 0 { return (month, day) }
        // 2024 has a leap day, so these years show whether a leap day changes the result.
        let moved = (2023...2026).map {
            CivilTime(year: $0, month: month, day: day).adding(days: days)
        }
        guard abs(days) < 365, day <= CivilTime.days(inMonth: month, of: 2023),
            moved.allSatisfy({ ($0.month, $0.day) == (moved[0].month, moved[0].day) })
        else { return nil }
        return (moved[0].month, moved[0].day)
    }
}

/// The dates of a recurring event: a rule, its first date, and its bounds.
struct RecurrenceSeries {
    var rule: Rule
    var recurrence: ICalendarRecurrence
    var first: Instant
    var zone: ZoneRules

    private var end: Instant? {
        recurrence.until.map { until in
            // If UNTIL is a day, the whole day counts.
            let time = until.isDay ? until.civil.adding(days: 1) : until.civil
            let isUTC = until.zone == "UTC"
            let date = (isUTC ? .fixed(0) : zone).instant(of: time)
            return until.isDay ? date.adding(microseconds: -1) : date
        }
    }

    /// The dates within the bounds, up to the first date for which `isWanted` is false.
    ///
    /// COUNT also counts dates before 1970. `Rule` leaves them out, but its pattern has them.
    private func all(while isWanted: (Instant) -> Bool) -> [Instant] {
        guard case .words(let words) = rule.pattern else { return [] }
        let end = end ?? .latest
        var dates: [Instant] = []
        var last = first.adding(microseconds: -1)
        let count = min(recurrence.count ?? .max, Limits.calendarCount.most)
        while dates.count < count,
            let next = words.next(after: last, in: zone)?.instant, next <= end, isWanted(next)
        {
            dates.append(next)
            last = next
        }
        return dates
    }

    /// Removes the dates of the series from the given instants.
    func without(_ dates: Set<Instant>) -> Set<Instant> {
        guard let last = dates.max() else { return [] }
        if recurrence.count != nil { return dates.subtracting(all { $0 <= last }) }
        return dates.filter { date in
            let next = rule.next(after: date.adding(microseconds: -1), in: zone)
            return date < first || date > end ?? date || next?.instant != date
        }
    }

    /// How many dates remain, and the last instant at which an alarm may fire.
    ///
    /// The alarm fires `seconds` after each date. `count` and `until` are nil if the recurrence has
    /// no such bound. The whole result is nil if the rule alone would fire before the first date of
    /// the series.
    func remaining(
        after now: Instant, shiftedBy seconds: Int64
    ) -> (count: Int?, until: Instant?)? {
        // The alarms of a rule have a time of day, so they count on the wall clock.
        func alarm(_ date: Instant) -> Instant { zone.instant(seconds, onWallClockAfter: date) }
        let until = end.map(alarm)
        // Begin a day early, because the clocks may change between an alarm and its date.
        let early = now.adding(microseconds: -(seconds + 86_400) * 1_000_000)
        var next = rule.next(after: early, in: zone)?.instant
        while let date = next, alarm(date) <= now {
            next = rule.next(after: date, in: zone)?.instant
        }
        if let next, next < first { return nil }
        // No date is left, even if UNTIL is still ahead. The centre would refuse such a rule.
        if next ?? .latest > end ?? .latest { return (0, until) }
        guard let count = recurrence.count else { return (nil, until) }
        return (count - all { alarm($0) <= now }.count, until)
    }

    /// The dates after an instant, up to twice the import limit, because the caller may exclude
    /// some of them.
    func dates(after instant: Instant) -> [Instant] {
        if recurrence.count != nil {
            var ahead = 0
            let dates = all { date in
                ahead += date > instant ? 1 : 0
                return ahead <= Limits.calendarDates.most * 2
            }
            return dates.filter { $0 > instant }
        }
        var bounded = rule
        bounded.until = end
        return bounded.dates(
            after: max(instant, first.adding(microseconds: -1)), in: zone,
            limit: Limits.calendarDates.most * 2
        ).map(\.instant)
    }
}

extension ZoneRules {
    /// The instant at which the wall clock shows a time this many seconds later than at `start`.
    func instant(_ seconds: Int64, onWallClockAfter start: Instant) -> Instant {
        instant(of: CivilTime(seconds: civilTime(at: start).seconds + seconds))
    }
}
