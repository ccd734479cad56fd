internal import NotificationModel
internal import NotificationSchedule

/// Reads the requests of an iCalendar object.
///
/// Understood are VEVENT and VTODO with DTSTART, DTEND, DUE, DURATION, RRULE, EXDATE and
/// RECURRENCE-ID, RDATE, and VALARM with its TRIGGER. REPEAT of alarms and the descriptions of zones
/// (VTIMEZONE) are not: a zone is taken by its name from the system.
///
/// Anyone can mail such a file. It makes reminders of the user's own and nothing else: no part of it
/// becomes an app, a path, a button or a command.
struct ICalendarImport {
    /// The key of the user info that names the source of a request: only a request of the same
    /// source is replaced.
    static let mark = "org.tocsin.calendar"
    /// The source of a file that is imported once; folders have their paths.
    static let file = "file"

    var environment: ToolEnvironment
    /// Whether events without an alarm are notified of at their starts.
    var withoutAlarms = true
    /// The source that the requests name.
    var source = Self.file

    /// The requests, and what is said of events that cannot be imported whole.
    func items(of text: String) -> (items: [ImportItem], errors: [ToolError]) {
        let components = ICalendarComponent.read(text).flatMap { $0.all(["VEVENT", "VTODO"]) }
        var zones: [String?: ZoneRules?] = [nil: environment.zone, "UTC": .fixed(0)]
        func zone(_ name: String?) -> ZoneRules? {
            if let known = zones[name] { return known }
            let found = name.flatMap(environment.rules(named:))
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
            let read = ICalendarEvent(component: component, now: environment.now) { zone($0) }
            guard var event = read else { continue }
            if component["RECURRENCE-ID"] == nil {
                event.exceptions = exceptions[component.text("UID")] ?? []
            }
            event.source = source
            do throws(ToolError) {
                items += try event.items(withoutAlarms: withoutAlarms)
            } catch {
                errors.append(error)
            }
            errors += event.notes
        }
        return (items, errors)
    }

    /// Whether a text is an iCalendar object, or a part of one.
    static func isCalendar(_ text: String) -> Bool {
        ICalendarComponent.read(text).contains {
            !$0.all(["VCALENDAR", "VEVENT", "VTODO"]).isEmpty
        }
    }

    /// Whether a file that begins with this line is an iCalendar object.
    static func isStart(_ line: [UInt8]) -> Bool {
        let line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
        return String(decoding: line, as: UTF8.self).uppercased()
            .filter { !$0.isWhitespace } == "BEGIN:VCALENDAR"
    }
}
