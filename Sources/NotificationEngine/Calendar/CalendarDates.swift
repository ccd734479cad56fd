internal import Foundation
public import NotificationModel
internal import NotificationSchedule

/// The next date that calendar components match, in any calendar and zone.
///
/// The Gregorian calendar and that of ISO 8601 are our own arithmetic; Foundation counts the months
/// of the others. Zones are those of the system's tzdata.
public enum CalendarDates {
    /// The first instant after this one that the components match, or nil where there is none.
    ///
    /// `timeZone` is the person's zone, used where the components name none. A zone that is not
    /// known matches nothing if the components name it; the person's is UTC then.
    public static func next(
        matching components: CalendarComponents, after instant: Instant, timeZone: String
    ) -> Instant? {
        guard isZoneKnown(of: components) else { return nil }
        return nextOfAccepted(components, after: instant, timeZone: timeZone)
    }

    /// As `next`, for components that were accepted once: if the data of their zone is gone since,
    /// they go on in UTC rather than never again.
    static func nextOfAccepted(
        _ components: CalendarComponents, after instant: Instant, timeZone: String
    ) -> Instant? {
        let rules = SystemZones.shared.rulesOrUTC(named: components.timeZone ?? timeZone)
        if isOurs(components.calendar) {
            return NextDate.find(matching: components, after: instant, in: rules)?.instant
        }
        return FoundationCalendars.table(of: components.calendar)?
            .nextDate(matching: components, after: instant, in: rules)?.instant
    }

    /// Whether any date at all, past or future, can match.
    public static func canMatch(_ components: CalendarComponents, timeZone: String) -> Bool {
        guard isZoneKnown(of: components) else { return false }
        if isOurs(components.calendar) { return NextDate.canMatch(components) }
        return FoundationCalendars.table(of: components.calendar)?.canMatch(components) ?? false
    }

    /// The IANA name of the person's zone now; as the engine's clock has it.
    public static func personsZone(environment: [String: String]) -> String {
        let zones = SystemZones.shared
        return zones.fixedName(environment: environment) ?? zones.systemName()
    }

    private static func isZoneKnown(of components: CalendarComponents) -> Bool {
        components.timeZone.map { SystemZones.shared.rules(named: $0) != nil } ?? true
    }

    private static func isOurs(_ calendar: String?) -> Bool {
        calendar == nil || calendar == "gregorian" || calendar == "iso8601"
    }
}
