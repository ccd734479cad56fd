internal import NotificationModel
internal import NotificationSchedule

/// Reads the requests of an iCalendar object.
///
/// Understood are VEVENT and VTODO with DTSTART, DTEND, DUE, DURATION, RRULE, EXDATE and
/// RECURRENCE-ID, and VALARM with its TRIGGER. REPEAT of alarms, RDATE and the descriptions of zones
/// (VTIMEZONE) are not: a zone is taken by its name from the system.
struct ICalendarImport {
    var environment: ToolEnvironment
    /// Whether events without an alarm are notified of at their starts.
    var withoutAlarms = true

    /// The requests, and what is said of events that cannot be imported.
    func items(of text: String) -> (items: [ImportItem], errors: [ToolError]) {
        let components = ICalendarComponent.read(text).flatMap { $0.all(["VEVENT", "VTODO"]) }
        var zones: [String?: ZoneOffsets?] = [nil: environment.zone, "UTC": .fixed(0)]
        func zone(_ name: String?) -> ZoneOffsets? {
            if let known = zones[name] { return known }
            let found = name.flatMap(environment.zone(named:))
            zones[name] = .some(found)
            return found
        }
        var exceptions: [String: [ICalendarTime]] = [:]
        for component in components {
            let time = ICalendarTime(component["RECURRENCE-ID"]) { zone($0) != nil }
            if let time { exceptions[component.text("UID"), default: []].append(time) }
        }
        var items: [ImportItem] = []
        var errors: [ToolError] = []
        for component in components {
            var event = ICalendarEvent(component: component, now: environment.now) { zone($0) }
            if component["RECURRENCE-ID"] == nil {
                event.exceptions = exceptions[component.text("UID")] ?? []
            }
            do throws(ToolError) {
                items += try event.items(withoutAlarms: withoutAlarms)
            } catch {
                errors.append(error)
            }
        }
        return (items, errors)
    }
}
