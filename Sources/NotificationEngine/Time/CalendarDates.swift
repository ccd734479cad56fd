internal import Foundation
public import NotificationModel
internal import NotificationSchedule
internal import Reactor

/// The next date that calendar components match, in any calendar and zone.
///
/// Our own arithmetic covers the Gregorian calendar and ISO 8601. For other calendars, Foundation
/// counts the months.
public struct CalendarDates: Sendable {
    let zones: SystemZones
    private let calendars = FoundationCalendars()

    /// Makes a search with the zones of the system's tzdata.
    public init(zones: SystemZones) {
        self.zones = zones
    }

    /// The first instant after `instant` that the components match; nil if no instant matches.
    ///
    /// `timeZone` is the user's zone, for components that name no zone. If the components name an
    /// unknown zone, nothing matches. If the user's zone is unknown, UTC is used.
    public func next(
        matching components: CalendarComponents, after instant: Instant, timeZone: String
    ) -> Instant? {
        guard isZoneKnown(of: components) else { return nil }
        return nextOfAccepted(components, after: instant, timeZone: timeZone)
    }

    /// Like `next`, for components that were accepted before.
    ///
    /// If the data of their zone is gone, the components match in UTC.
    package func nextOfAccepted(
        _ components: CalendarComponents, after instant: Instant, timeZone: String
    ) -> Instant? {
        let rules = zones.rulesOrUTC(named: components.timeZone ?? timeZone)
        if isOurs(components.calendar) {
            return NextDate.find(matching: components, after: instant, in: rules)
        }
        return calendars.table(of: components.calendar)?
            .nextDate(matching: components, after: instant, in: rules)
    }

    /// Whether any date at all, past or future, can match.
    public func canMatch(_ components: CalendarComponents, timeZone: String) -> Bool {
        guard isZoneKnown(of: components) else { return false }
        if isOurs(components.calendar) { return NextDate.canMatch(components) }
        return calendars.table(of: components.calendar)?.canMatch(components) ?? false
    }

    private func isZoneKnown(of components: CalendarComponents) -> Bool {
        components.timeZone.map { zones.rules(named: $0) != nil } ?? true
    }

    private func isOurs(_ calendar: String?) -> Bool {
        calendar == nil || calendar == "gregorian" || calendar == "iso8601"
    }
}

/// The calendars that Foundation knows, as tables of their months.
///
/// Foundation counts months well, but its search for a date may take seconds and miss the date. So
/// we ask Foundation only for the starts of months, once for each calendar.
final class FoundationCalendars: Sendable {
    /// The CLDR names of the calendars.
    private static let identifiers: [String: Calendar.Identifier] = [
        "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic,
        "ethiopic": .ethiopicAmeteMihret, "ethiopic-amete-alem": .ethiopicAmeteAlem,
        "hebrew": .hebrew, "indian": .indian, "islamic": .islamic,
        "islamic-civil": .islamicCivil, "japanese": .japanese, "persian": .persian,
        "roc": .republicOfChina, "islamic-tbla": .islamicTabular,
        "islamic-umalqura": .islamicUmmAlQura,
    ]

    /// The years 1950 to 2149, in days since 1970-01-01.
    private static let days: Range<Int64> = -7_305..<65_744
    private let tables = Locked<[String: CalendarTable]>([:])

    /// The table of a calendar; nil for an unknown name.
    func table(of name: String?) -> CalendarTable? {
        guard let name, let identifier = Self.identifiers[name] else { return nil }
        if let known = tables.withLock({ $0[name] }) { return known }
        let table = CalendarTable(months: Self.months(of: identifier))
        tables.withLock { $0[name] = table }
        return table
    }

    private static func months(of identifier: Calendar.Identifier) -> [CalendarTable.Month] {
        // This reference makes a static link include ICU's data.
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
            // This day lies in the next month: no month exceeds 31 days, and two very short months
            // are never neighbours.
            day = start + 31
        }
        return months
    }

    private static func date(_ day: Int64) -> Date {
        Date(timeIntervalSince1970: Double(day) * 86_400)
    }
}
