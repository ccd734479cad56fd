internal import Foundation
public import NotificationModel

/// The next date that calendar components match; pure.
///
/// The arithmetic is Foundation's, kept behind this one function. Its costly cases are dates that
/// look possible and are not (30 February), so those are refused before it is asked.
public enum CalendarDates {
    private static let longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    /// The names that CLDR gives calendars.
    private static let calendars: [String: Calendar.Identifier] = [
        "gregorian": .gregorian, "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic,
        "ethiopic": .ethiopicAmeteMihret, "ethiopic-amete-alem": .ethiopicAmeteAlem,
        "hebrew": .hebrew, "iso8601": .iso8601, "indian": .indian, "islamic": .islamic,
        "islamic-civil": .islamicCivil, "japanese": .japanese, "persian": .persian,
        "roc": .republicOfChina, "islamic-tbla": .islamicTabular,
        "islamic-umalqura": .islamicUmmAlQura,
    ]

    /// The first instant after this one that the components match, or nil where there is none.
    ///
    /// `timeZone` is the person's zone, used where the components name none. A time that a spring
    /// gap removes moves to the end of the gap; a day that a month lacks moves to the next
    /// existing instant; a repeated hour counts once.
    public static func next(
        matching components: CalendarComponents, after instant: Instant, timeZone: String
    ) -> Instant? {
        guard isPossible(components), let calendar = calendar(components, timeZone) else {
            return nil
        }
        let wanted = foundationComponents(components)
        var start = Date(timeIntervalSince1970: instant.secondsSince1970)
        while let date = calendar.nextDate(
            after: start, matching: wanted, matchingPolicy: .nextTime, repeatedTimePolicy: .first)
        {
            // Asked between the passes of a repeated hour, Foundation gives the second one.
            let isSecondPass = components.hour != nil && isRepeated(date, in: calendar.timeZone)
            let found = Instant(secondsSince1970: date.timeIntervalSince1970)
            if !isSecondPass, let found, found > instant { return found }
            guard date > start else { return nil }
            start = date
        }
        return nil
    }

    /// Whether the same wall-clock time was there before, ahead of a clock that was put back.
    private static func isRepeated(_ date: Date, in zone: TimeZone) -> Bool {
        let day: TimeInterval = 86_400
        guard let change = zone.nextDaylightSavingTimeTransition(after: date - day), change <= date
        else { return false }
        let lost = zone.secondsFromGMT(for: change - 1) - zone.secondsFromGMT(for: date)
        return date.timeIntervalSince(change) < TimeInterval(lost)
    }

    /// Whether any date at all, past or future, can match.
    public static func canMatch(_ components: CalendarComponents, timeZone: String) -> Bool {
        let yearOne = Instant(microseconds: -62_135_596_800_000_000)
        return next(matching: components, after: yearOne, timeZone: timeZone) != nil
    }

    private static func isPossible(_ components: CalendarComponents) -> Bool {
        let values = CalendarComponents.fields.compactMap { components[keyPath: $0.path] }
        guard !values.isEmpty, components.quarter == nil else { return false }
        guard isGregorian(components.calendar) else { return true }
        let ranges: [(Int?, ClosedRange<Int>)] = [
            (components.month, 1...12), (components.day, 1...31), (components.hour, 0...23),
            (components.minute, 0...59), (components.second, 0...59),
            (components.nanosecond, 0...999_999_999), (components.weekday, 1...7),
            (components.weekdayOrdinal, 1...5), (components.weekOfMonth, 1...6),
            (components.weekOfYear, 1...53), (components.year, 1...9_999),
            (components.yearForWeekOfYear, 1...9_999), (components.era, 1...1),
        ]
        guard ranges.allSatisfy({ $0 == nil || $1.contains($0 ?? 0) }) else { return false }
        if let month = components.month, let day = components.day {
            return day <= longestMonths[month - 1]
        }
        return true
    }

    private static func isGregorian(_ identifier: String?) -> Bool {
        identifier == nil || identifier == "gregorian" || identifier == "iso8601"
    }

    private static func calendar(
        _ components: CalendarComponents, _ personsZone: String
    ) -> Calendar? {
        // Naming the version of ICU's zone data keeps that data in a static link, which otherwise
        // loses every zone without a word.
        _ = TimeZone.timeZoneDataVersion
        let name = components.timeZone ?? personsZone
        guard
            let zone = TimeZone(identifier: name)
                ?? (components.timeZone == nil ? TimeZone(secondsFromGMT: 0) : nil)
        else { return nil }
        guard let identifier = calendars[components.calendar ?? "gregorian"] else { return nil }
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = zone
        return calendar
    }

    private static func foundationComponents(_ components: CalendarComponents) -> DateComponents {
        var result = DateComponents(
            era: components.era, year: components.year, month: components.month,
            day: components.day, hour: components.hour, minute: components.minute,
            second: components.second, nanosecond: components.nanosecond,
            weekday: components.weekday, weekdayOrdinal: components.weekdayOrdinal,
            weekOfMonth: components.weekOfMonth, weekOfYear: components.weekOfYear,
            yearForWeekOfYear: components.yearForWeekOfYear)
        result.isLeapMonth = components.isLeapMonth
        return result
    }
}
