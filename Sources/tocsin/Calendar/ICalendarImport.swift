internal import NotificationModel
internal import NotificationSchedule

/// Reads the requests of an iCalendar object.
///
/// Understood are VEVENT and VTODO with DTSTART, DTEND, DUE, DURATION, RRULE, EXDATE and
/// RECURRENCE-ID, RDATE, and VALARM with its TRIGGER. REPEAT of alarms and the descriptions of zones
/// (VTIMEZONE) are not: a zone is taken by its name from the system. What `export` wrote is the
/// request that it was (``ExportedRequest``).
struct ICalendarImport {
    var environment: ToolEnvironment
    /// Whether events without an alarm are notified of at their starts.
    var withoutAlarms = true
    /// Whether the requests that `export` wrote are taken as they were.
    ///
    /// Not where others may write too: such a request can be any app's, and name any file.
    var takesRequests = true

    /// The requests, and what is said of events that cannot be imported whole.
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
                if takesRequests {
                    event.exported = try ExportedRequest(component, in: environment)
                }
            } catch {
                errors.append(event.unreadable(error))
            }
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
