internal import Foundation
internal import NotificationSchedule
internal import Reactor

/// The calendars that Foundation knows, as tables of their months.
///
/// Foundation counts months well, but its search for a date may take seconds and find nothing
/// where there is something. So it is only asked where months begin, once for each calendar.
enum FoundationCalendars {
    /// The names that CLDR gives calendars.
    private static let identifiers: [String: Calendar.Identifier] = [
        "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic,
        "ethiopic": .ethiopicAmeteMihret, "ethiopic-amete-alem": .ethiopicAmeteAlem,
        "hebrew": .hebrew, "indian": .indian, "islamic": .islamic,
        "islamic-civil": .islamicCivil, "japanese": .japanese, "persian": .persian,
        "roc": .republicOfChina, "islamic-tbla": .islamicTabular,
        "islamic-umalqura": .islamicUmmAlQura,
    ]

    /// 1950 to 2150, in days since 1970-01-01.
    private static let days: Range<Int64> = -7_305..<65_744
    private static let tables = Locked<[String: CalendarTable]>([:])

    /// The table of a calendar; nil for a name that is none.
    static func table(of name: String?) -> CalendarTable? {
        guard let name, let identifier = identifiers[name] else { return nil }
        if let known = tables.withLock({ $0[name] }) { return known }
        let table = CalendarTable(months: months(of: identifier))
        tables.withLock { $0[name] = table }
        return table
    }

    private static func months(of identifier: Calendar.Identifier) -> [CalendarTable.Month] {
        // Naming the version of ICU's data keeps that data in a static link.
        _ = TimeZone.timeZoneDataVersion
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = .gmt
        var months: [CalendarTable.Month] = []
        var yearOfWeeks = 0
        var day = days.lowerBound
        while day < days.upperBound {
            let parts = calendar.dateComponents([.era, .year, .month, .day], from: date(day))
            guard let number = parts.month, let year = parts.year, let dayOfMonth = parts.day else {
                return []
            }
            let start = day - Int64(dayOfMonth - 1)
            if number == 1 || months.isEmpty {
                yearOfWeeks = calendar.component(.yearForWeekOfYear, from: date(start + 8))
            }
            months.append(
                CalendarTable.Month(
                    start: start, era: parts.era ?? 0, year: year, number: number,
                    yearOfWeeks: yearOfWeeks, isLeap: parts.isLeapMonth ?? false))
            // No month is longer, and none of the short ones is followed by another.
            day = start + 31
        }
        return months
    }

    private static func date(_ day: Int64) -> Date {
        Date(timeIntervalSince1970: Double(day) * 86_400)
    }
}
