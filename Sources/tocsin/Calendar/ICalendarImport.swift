internal import NotificationModel
internal import NotificationSchedule

/// Reads the requests of an iCalendar object.
///
/// It reads VEVENT and VTODO with DTSTART, DTEND, DUE, DURATION, RRULE, EXDATE, RECURRENCE-ID,
/// RDATE, and VALARM with its TRIGGER. It ignores the REPEAT of an alarm, and an alarm with the
/// action NONE. It also ignores zone descriptions (VTIMEZONE), because the system finds a zone by
/// its name. If the system does not find a zone, a warning names the zone.
///
/// Anyone can mail such a file, so its events only become reminders. No part of the file becomes an
/// app, a path, a button or a command.
struct ICalendarImport {
    /// The user-info key that names the source of a request; an import replaces only requests of
    /// the same source.
    static let mark = "org.tocsin.calendar"
    /// The source of a file that is imported once; the source of a followed folder is its path.
    static let file = "file"
    /// The user-info key that names the file of a request in a followed folder.
    static let fileName = "org.tocsin.calendar.file"

    /// The content of a calendar, as far as it can be imported.
    struct Reading {
        var items: [ImportItem] = []
        /// The errors about events that cannot be fully imported.
        var errors: [ToolError] = []
        /// The identifiers of the events that cannot be imported at all.
        var unread: Set<String> = []
        /// The identifiers of the events, past ones too, that are neither cancelled nor completed.
        var events: Set<String> = []
        /// Whether the text has a calendar, and each calendar has its END line.
        ///
        /// If this is false, a program may still be writing the file.
        var isWhole: Bool

        fileprivate mutating func leaveOut(_ component: ICalendarComponent, _ error: ToolError) {
            errors.append(error)
            unread.insert(component.identifier)
        }
    }

    var environment: ToolEnvironment
    /// Whether events without an alarm get a notification at their start.
    var withoutAlarms = true
    var source = Self.file
    /// The limit for the requests of one text, and for its changed dates (RECURRENCE-ID).
    ///
    /// A small text may make very many requests, because each date of each alarm may become one.
    var mostRequests = Limits.pending.most

    /// The requests, and the errors about events that cannot be fully imported.
    ///
    /// A calendar that is not whole is an error, too, because a cut file may lack events.
    func items(of text: String) -> (items: [ImportItem], errors: [ToolError]) {
        let reading = read(text)
        let cut = ToolError.data(
            "The calendar ends before its END:VCALENDAR; its last events may be incomplete or "
                + "missing. Get the whole file, and import it again.")
        return (reading.items, reading.errors + (reading.isWhole ? [] : [cut]))
    }

    /// Reads a text; even if a calendar is not whole, the result has its requests.
    func read(_ text: String) -> Reading {
        let objects = ICalendarComponent.read(text)
        var reading = Reading(
            isWhole: Self.hasCalendar(objects)
                && objects.allSatisfy { $0.isEnded || $0.name != "VCALENDAR" })
        let components = objects.flatMap { $0.all(["VEVENT", "VTODO"]) }
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
            if let time { exceptions[component.series, default: []].append(time) }
        }
        // If an event in a followed folder is left out, its earlier requests stay, because the user
        // may have no other reminder.
        let remark = source == Self.file ? "" : " Its notifications stay as they are."
        let floatingZone = environment.zoneOfVariable()
        // A hostile calendar may have very many copies of one event. `effort` limits the work for
        // them: it counts the exceptions of each copy, and each hundred dates computed for a COUNT.
        var effort = 0
        for component in components {
            guard reading.items.count <= mostRequests, effort <= mostRequests else {
                reading.leaveOut(component, excess(component, remark))
                continue
            }
            let read = ICalendarEvent(component: component, now: environment.now) { zone($0) }
            guard var event = read else {
                if let start = component["DTSTART"] ?? component["DUE"] {
                    reading.leaveOut(
                        component,
                        ToolError.data(
                            "\(component.series.quotedForMessage()): the date "
                                + "\(start.value.quotedForMessage()) cannot be read, so the event "
                                + "is left out.\(remark) Write it as 20261224 or 20261224T180000."))
                }
                continue
            }
            if component["RECURRENCE-ID"] == nil {
                event.exceptions = exceptions[component.series] ?? []
                effort += event.exceptions.count
            }
            (event.source, event.floatingZone) = (source, floatingZone)
            if event.isOn { reading.events.insert(component.identifier) }
            do throws(ToolError) {
                reading.items += try event.items(withoutAlarms: withoutAlarms)
            } catch {
                var error = error
                error.message += remark
                reading.leaveOut(component, error)
            }
            reading.errors += event.notes
            effort += event.countedDates / 100
        }
        return reading
    }

    private func excess(_ component: ICalendarComponent, _ remark: String) -> ToolError {
        ToolError.data(
            "\(component.series.quotedForMessage()): the event is left out, because the calendar has "
                + "more than \(mostRequests) notifications or changed dates, or its recurrences with "
                + "COUNT have more than \(100 * mostRequests) dates.\(remark) Split the calendar.")
    }

    /// Whether a text contains an iCalendar object, an event or a task.
    static func isCalendar(_ text: String) -> Bool {
        hasCalendar(ICalendarComponent.read(text))
    }

    private static func hasCalendar(_ objects: [ICalendarComponent]) -> Bool {
        objects.contains { !$0.all(["VCALENDAR", "VEVENT", "VTODO"]).isEmpty }
    }

    /// Whether a file that begins with this line is an iCalendar object.
    static func isStart(_ line: [UInt8]) -> Bool {
        let line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
        return String(decoding: line, as: UTF8.self).uppercased()
            .filter { !$0.isWhitespace } == "BEGIN:VCALENDAR"
    }
}
