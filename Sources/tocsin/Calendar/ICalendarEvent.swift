internal import NotificationModel
internal import NotificationSchedule

/// An event or a task of an iCalendar object as requests, one for each of its alarms; pure.
struct ICalendarEvent {
    /// When a whole day without an alarm is notified of.
    private static let morning: Int64 = 9 * 3_600

    let component: ICalendarComponent
    /// The other occurrences of the same event that were moved or changed, by their first times.
    var exceptions: [ICalendarTime] = []
    /// The source that the requests name.
    var source = ICalendarImport.file
    var now: Instant
    /// A zone by its name; nil names the user's.
    var zone: (String?) -> ZoneOffsets?
    /// The warnings about dates that are left out.
    var notes: [ToolError] = []

    init(
        component: ICalendarComponent, now: Instant, zone: @escaping (String?) -> ZoneOffsets?
    ) {
        self.component = component
        self.now = now
        self.zone = zone
    }

    /// An alarm: when, relative to the start, or at an instant.
    private enum Alarm {
        case after(Int64)
        case at(Instant)
    }

    /// Which event it is.
    var identifier: String {
        let own = component.text("UID")
        let text = own.isEmpty ? component.text("SUMMARY") : own
        guard let date = component["RECURRENCE-ID"]?.value else { return text }
        return "\(text)/\(date)"
    }

    /// Whether it takes place.
    private var isOn: Bool {
        let status = component.text("STATUS").uppercased()
        return !["CANCELLED", "COMPLETED"].contains(status) && component["COMPLETED"] == nil
    }

    private func time(_ name: String) -> ICalendarTime? {
        ICalendarTime(component[name]) { zone($0) != nil }
    }

    private var start: ICalendarTime? { time("DTSTART") ?? time("DUE") }

    private func instant(_ time: ICalendarTime) -> Instant? {
        zone(time.zone)?.instant(of: time.civil)
    }

    /// The requests that are to come; empty where everything is past.
    ///
    /// `withoutAlarms` also takes events without one, at their starts.
    mutating func items(withoutAlarms: Bool) throws(ToolError) -> [ImportItem] {
        guard isOn else { return [] }
        guard let start, let zone = zone(start.zone) else { return [] }
        var alarms = component.components.filter { $0.name == "VALARM" }.compactMap {
            alarm($0, start: start)
        }
        if alarms.isEmpty, withoutAlarms { alarms = [.after(start.isDay ? Self.morning : 0)] }
        var items: [ImportItem] = []
        for (index, alarm) in alarms.enumerated() {
            let identifier = identifier + (index == 0 ? "" : "#\(index + 1)")
            switch alarm {
            case .at(let date): items += once(identifier, date, start, zone)
            case .after(let seconds):
                items += try self.items(identifier, seconds, start, zone)
            }
        }
        return items
    }

    private func alarm(_ alarm: ICalendarComponent, start: ICalendarTime) -> Alarm? {
        guard let trigger = alarm["TRIGGER"] else { return nil }
        if let seconds = ICalendarTime.duration(trigger.value) {
            let isOfEnd = trigger.parameters["RELATED"]?.uppercased() == "END"
            return .after(seconds + (isOfEnd ? length(from: start) : 0))
        }
        return ICalendarTime(trigger.value, zone: nil).flatMap(instant).map { .at($0) }
    }

    /// From its start to its end, in seconds.
    private func length(from start: ICalendarTime) -> Int64 {
        if let text = component["DURATION"]?.value, let length = ICalendarTime.duration(text) {
            return length
        }
        guard let end = time("DTEND") ?? time("DUE") else { return start.isDay ? 86_400 : 0 }
        return end.civil.seconds - start.civil.seconds
    }

    // MARK: Dates

    private func once(
        _ identifier: String, _ date: Instant, _ start: ICalendarTime, _ zone: ZoneOffsets
    ) -> [ImportItem] {
        guard date > now else { return [] }
        let time = start.isDay ? nil : zone.instant(of: start.civil)
        return [item(identifier, .at(date), time, zone)]
    }

    private mutating func items(
        _ identifier: String, _ seconds: Int64, _ start: ICalendarTime, _ zone: ZoneOffsets
    ) throws(ToolError) -> [ImportItem] {
        let added = dates("RDATE")
        for part in added.unknown { noteDate(part) }
        let excluded = excluded
        let others = added.known.subtracting(excluded)
        let first = zone.instant(of: start.civil)
        guard let text = component["RRULE"]?.value, component["RECURRENCE-ID"] == nil else {
            guard !others.isEmpty else {
                let date = first.adding(microseconds: seconds * 1_000_000)
                return once(identifier, date, start, zone)
            }
            let dates = others.union(excluded.contains(first) ? [] : [first])
            return each(dates, added: dates, identifier, seconds, start, zone)
        }
        guard let recurrence = ICalendarRecurrence(text, zone: start.zone),
            let starts = recurrence.rule(start: start.civil, shiftedBy: 0)
        else {
            throw ToolError(
                .data,
                "\(identifier.quotedForMessage()): the recurrence \(text.quotedForMessage()) is "
                    + "none that can be imported. Give it dates of its own, or a simpler rule.")
        }
        let series = RecurrenceSeries(
            rule: starts, recurrence: recurrence, first: first, zone: zone)
        if excluded.isEmpty,
            let rule = recurrence.rule(start: start.civil, shiftedBy: seconds),
            let left = series.left(after: now, shiftedBy: seconds)
        {
            let extra = series.without(others)
            let single = each(extra, added: extra, identifier, seconds, start, zone)
            guard left.count != 0 else { return single }
            let trigger = NotificationTrigger.rule(
                NotificationRule(
                    rule.description, timeZone: start.zone, until: left.until, count: left.count))
            return [item(identifier, trigger, nil, zone)] + single
        }
        let dates = series.dates(after: now.adding(microseconds: -seconds * 1_000_000))
            .filter { !excluded.contains($0) }
        return each(others.union(dates), added: others, identifier, seconds, start, zone)
    }

    /// A request for each of these starts that is to come, as many as are imported; of those that the
    /// event names itself none is left out unsaid.
    private mutating func each(
        _ starts: Set<Instant>, added: Set<Instant>, _ identifier: String, _ seconds: Int64,
        _ start: ICalendarTime, _ zone: ZoneOffsets
    ) -> [ImportItem] {
        let after = now.adding(microseconds: -seconds * 1_000_000)
        let ahead = starts.filter { $0 > after }.sorted()
        let left = ahead.dropFirst(Limits.calendarDates.most).filter(added.contains)
        if let first = left.first { noteMore(than: first, count: left.count, zone) }
        let days = starts.map { zone.civilTime(at: $0).dateText }
        let counts = Dictionary(days.map { ($0, 1) }, uniquingKeysWith: +)
        return ahead.prefix(Limits.calendarDates.most).map { date in
            let time = zone.civilTime(at: date)
            let day = time.dateText
            let clock = counts[day] == 1 ? "" : "T" + time.clockText
            return item(
                "\(identifier)@\(day)\(clock)",
                .at(date.adding(microseconds: seconds * 1_000_000)),
                start.isDay ? nil : date, zone)
        }
    }

    /// The starts that do not take place, or not as the others.
    private var excluded: Set<Instant> {
        dates("EXDATE").known.union(exceptions.compactMap(instant))
    }

    /// The dates of all lines of a name, and what is none; of a period its start.
    private func dates(_ name: String) -> (known: Set<Instant>, unknown: [String]) {
        var result: (known: Set<Instant>, unknown: [String]) = ([], [])
        for line in component.lines where line.name == name {
            for part in line.value.split(separator: ",") {
                let text = String(part.prefix { $0 != "/" })
                var time = ICalendarTime(text, zone: line.parameters["TZID"])
                if let zone = time?.zone, self.zone(zone) == nil { time?.zone = nil }
                if let date = time.flatMap(instant) {
                    result.known.insert(date)
                } else {
                    result.unknown.append(String(part))
                }
            }
        }
        return result
    }

    // MARK: Words

    private func item(
        _ identifier: String, _ trigger: NotificationTrigger, _ start: Instant?,
        _ zone: ZoneOffsets
    ) -> ImportItem {
        let title = component.text("SUMMARY")
        var texts = [component.text("LOCATION"), component.text("DESCRIPTION")]
        if let start, trigger != .at(start) {
            texts.insert(
                String(zone.civilTime(at: start).clockText.prefix(5)), at: 0)
        }
        let body = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        var content = RequestTag.content(
            title.isEmpty ? "Event" : title, Limits.calendarText.cut(body.unicodeScalars),
            at: now)
        content.userInfo[ICalendarImport.mark] = .string(source)
        content.threadIdentifier = "calendar"
        content.desktop = DesktopOptions()
        content.desktop?.offersClick = false
        return ImportItem(
            request: NotificationRequest(
                identifier: identifier, content: content, trigger: trigger), source: source)
    }
}

// Warnings about an event that is not imported whole.
extension ICalendarEvent {
    mutating func noteDate(_ text: String) {
        note("the date \(text.quotedForMessage()) of its RDATE is none, and is left out.")
    }

    mutating func noteMore(than date: Instant, count: Int, _ zone: ZoneOffsets) {
        note(
            "\(count) of its dates, from \(zone.rfc3339(date)) on, are left out: at most "
                + "\(Limits.calendarDates.most) are imported at once. "
                + "\(Limits.calendarDates.remedy).")
    }

    private mutating func note(_ text: String) {
        let error = ToolError(.data, "\(identifier.quotedForMessage()): \(text)")
        if !notes.contains(error) { notes.append(error) }
    }
}
