internal import NotificationModel
internal import NotificationSchedule

/// Turns an event or a task of an iCalendar object into requests for its alarms; pure.
///
/// It makes requests for future dates only, and warns about dates that it cannot import. If no
/// `Rule` has exactly the dates of a recurrence, it throws. A recurrence with cancelled dates
/// becomes one request for each of its next dates.
struct ICalendarEvent {
    /// When a whole-day event without an alarm notifies: 9:00, in seconds after midnight.
    private static let morning: Int64 = 9 * 3_600

    let component: ICalendarComponent
    let now: Instant
    /// Finds a zone by its name; the name nil stands for the user's zone.
    private let zone: (String?) -> ZoneRules?
    private let start: ICalendarTime
    private let startZone: ZoneRules
    /// The start as an instant.
    private let first: Instant
    /// Whether the component itself has a date; otherwise `start` is the date of its first alarm.
    private let hasDate: Bool
    /// The alarms, except for those with the action NONE.
    ///
    /// Apple's and Google's calendars write such an alarm, with a date in 1976, into an event that
    /// has no default alarm. It would hide that the event has no alarm.
    private let alarmParts: [ICalendarComponent]
    /// The texts, read once: a hostile event may have very many lines, requests and warnings.
    private let identifier: String
    private let title: String
    private let details: [String]
    /// The original times of occurrences that other components of the same event move or change.
    var exceptions: [ICalendarTime] = []
    /// Where the event comes from (see `ICalendarImport.mark`).
    var source = ICalendarImport.file
    /// The zone of a rule whose event names no zone; nil for the zone of the system.
    var floatingZone: String?
    /// The most dates that were computed for a COUNT, summed over all alarms.
    private(set) var countedDates = 0
    /// The warnings about parts of the event that are left out or changed.
    private(set) var notes: [ToolError] = []
    /// The warnings in `notes` as a set: a hostile event may cause very many equal warnings.
    private var noted: Set<ToolError> = []

    /// Reads a component; nil if neither the component nor any of its alarms has a date.
    init?(
        component: ICalendarComponent, now: Instant, zone: @escaping (String?) -> ZoneRules?
    ) {
        func time(_ name: String) -> ICalendarTime? {
            ICalendarTime(component[name]) { zone($0) != nil }
        }
        hasDate = component["DTSTART"] != nil || component["DUE"] != nil
        alarmParts = component.components.filter {
            $0.name == "VALARM" && $0.text("ACTION").uppercased() != "NONE"
        }
        let alarms = hasDate ? [] : alarmParts
        let alarm = alarms.lazy.compactMap { ICalendarTime($0["TRIGGER"]?.value ?? "", zone: nil) }
        guard let start = time("DTSTART") ?? time("DUE") ?? alarm.first,
            let startZone = zone(start.zone)
        else { return nil }
        self.component = component
        identifier = component.identifier
        func text(_ name: String) -> String {
            Limits.calendarText.cut(component.text(name).unicodeScalars)
        }
        title = text("SUMMARY")
        details = [text("LOCATION"), text("DESCRIPTION")]
        self.now = now
        self.zone = zone
        self.start = start
        self.startZone = startZone
        first = startZone.instant(of: start.civil)
    }

    /// An alarm: a length of time after the start, or an instant.
    private enum Alarm {
        case after(ICalendarDuration)
        case at(Instant)
    }

    /// False for a cancelled event or a completed task.
    var isOn: Bool {
        let status = component.text("STATUS").uppercased()
        return !["CANCELLED", "COMPLETED"].contains(status) && component["COMPLETED"] == nil
    }

    private func time(_ name: String) -> ICalendarTime? {
        ICalendarTime(component[name]) { zone($0) != nil }
    }

    private func instant(_ time: ICalendarTime) -> Instant? {
        guard time.isDay, !start.isDay else { return zone(time.zone)?.instant(of: time.civil) }
        // Some programs write a cancelled date as a day without a time. Add the event's own time.
        var civil = start.civil
        (civil.year, civil.month, civil.day) = (time.civil.year, time.civil.month, time.civil.day)
        return startZone.instant(of: civil)
    }

    /// The requests with future dates; empty if all dates are past.
    ///
    /// With `withoutAlarms`, an event without an alarm gets a notification at its start. An event
    /// of a whole day gets the notification at 9:00.
    ///
    /// - Throws: An error if a recurrence cannot be imported.
    mutating func items(withoutAlarms: Bool) throws(ToolError) -> [ImportItem] {
        checkException()
        guard isOn else { return [] }
        // Check the identifier once: each request has a copy, and the store would refuse each one.
        guard identifier.utf8.count <= Limits.identifier.most else {
            throw ToolError.data(
                "\(identifier.quotedForMessage()): "
                    + Limits.identifier.excess(of: "the identifier of the event"))
        }
        var alarms = readAlarms()
        if alarms.isEmpty, withoutAlarms {
            alarms = [.after(ICalendarDuration(seconds: start.isDay ? Self.morning : 0))]
        }
        // Read the dates once, because an event may have many alarms and many dates.
        let isRelative = alarms.contains { if case .after = $0 { true } else { false } }
        let listed: (added: Set<Instant>, excluded: Set<Instant>) =
            isRelative ? readDates() : ([], [])
        var items: [ImportItem] = []
        for (index, alarm) in alarms.enumerated() {
            let identifier = identifier + (index == 0 ? "" : "#\(index + 1)")
            switch alarm {
            case .at(let date): items += once(identifier, date)
            case .after(let span): items += try self.items(identifier, span, listed)
            }
        }
        if !items.isEmpty { checkZones() }
        return items
    }

    /// Warns about each zone that the system does not know.
    private mutating func checkZones() {
        let names: Set = ["DTSTART", "DTEND", "DUE", "RDATE", "EXDATE", "RECURRENCE-ID"]
        for line in component.lines where names.contains(line.name) {
            // A day has no zone, and 'Z' means UTC.
            guard let name = line.parameters["TZID"], line.zone(isZone: { zone($0) != nil }) == nil,
                line.value.contains("T"), !line.value.hasSuffix("Z")
            else { continue }
            addWarning(
                "the system knows no time zone \(name.quotedForMessage()), so its times are taken "
                    + "in your time zone.")
        }
    }

    /// Warns if the event is an exception whose RECURRENCE-ID cannot be used as it is meant.
    private mutating func checkException() {
        guard let line = component["RECURRENCE-ID"] else { return }
        if time("RECURRENCE-ID") == nil {
            addWarning(
                "the RECURRENCE-ID \(line.value.quotedForMessage()) is no date, so the date that "
                    + "it replaces stays.")
        }
        if line.parameters["RANGE"] != nil {
            addWarning(
                "it is meant for several dates (RANGE), but the import changes only the date that "
                    + "RECURRENCE-ID names.")
        }
    }

    private mutating func readAlarms() -> [Alarm] {
        var alarms: [Alarm] = []
        for part in alarmParts {
            guard let trigger = part["TRIGGER"] else { continue }
            guard let found = alarm(trigger) else {
                addWarning(
                    "the TRIGGER \(trigger.value.quotedForMessage()) cannot be used, so its alarm "
                        + "is left out.")
                continue
            }
            guard alarms.count < Limits.calendarAlarms.most else {
                addWarning(
                    "it has more than \(Limits.calendarAlarms.most) alarms, and the further ones "
                        + "are left out. \(Limits.calendarAlarms.remedy).")
                break
            }
            alarms.append(found)
        }
        return alarms
    }

    private func alarm(_ trigger: ICalendarLine) -> Alarm? {
        if hasDate, let span = ICalendarDuration(trigger.value) {
            let isOfEnd = trigger.parameters["RELATED"]?.uppercased() == "END"
            return .after(isOfEnd ? length + span : span)
        }
        return ICalendarTime(trigger.value, zone: nil).flatMap(instant).map { .at($0) }
    }

    /// The time from start to end.
    private var length: ICalendarDuration {
        if let text = component["DURATION"]?.value, let length = ICalendarDuration(text) {
            return length
        }
        guard let end = time("DTEND") ?? time("DUE") else {
            return ICalendarDuration(days: start.isDay ? 1 : 0)
        }
        if start.isDay {
            return ICalendarDuration(seconds: end.civil.seconds - start.civil.seconds)
        }
        // Clocks may change during the event, and a flight may end in another zone.
        let last = instant(end) ?? first
        let (from, to) = (startZone.civilTime(at: first), startZone.civilTime(at: last))
        let days = (to.seconds - from.seconds) / 86_400
        let rest = last.microseconds(
            since: startZone.instant(days * 86_400, onWallClockAfter: first))
        return ICalendarDuration(days: days, seconds: rest / 1_000_000)
    }

    // MARK: Dates

    private func once(_ identifier: String, _ date: Instant) -> [ImportItem] {
        guard date > now else { return [] }
        return [item(identifier, .at(date), start: start.isDay || !hasDate ? nil : first)]
    }

    private mutating func items(
        _ identifier: String, _ span: ICalendarDuration,
        _ listed: (added: Set<Instant>, excluded: Set<Instant>)
    ) throws(ToolError) -> [ImportItem] {
        let excluded = listed.excluded
        let others = listed.added.subtracting(excluded)
        guard let text = component["RRULE"]?.value, component["RECURRENCE-ID"] == nil else {
            let isCancelled = excluded.contains(first) && component["RECURRENCE-ID"] == nil
            guard !others.isEmpty else {
                return isCancelled ? [] : once(identifier, alarm(span, after: first))
            }
            let dates = others.union(excluded.contains(first) ? [] : [first])
            return each(dates, added: dates, identifier, span)
        }
        // RFC 2445 allowed several RRULE lines, and EXRULE lines, which remove dates. A `Rule` can
        // express neither.
        guard component.lines.count(where: { ["RRULE", "EXRULE"].contains($0.name) }) == 1,
            let recurrence = ICalendarRecurrence(text, zone: start.zone),
            let starts = recurrence.rule(start: start.civil, shiftedBy: 0)
        else {
            throw ToolError.data(
                "\(identifier.quotedForMessage()): the recurrence \(text.quotedForMessage()) "
                    + "cannot be imported. Give the event single dates, or a simpler rule.")
        }
        countedDates += min(recurrence.count ?? 0, Limits.calendarCount.most)
        let series = RecurrenceSeries(
            rule: starts, recurrence: recurrence, first: first, zone: startZone)
        if excluded.isEmpty,
            let rule = recurrence.rule(start: start.civil, shiftedBy: span.total),
            let left = series.remaining(after: now, shiftedBy: span.total)
        {
            let extra = series.without(others)
            let single = each(extra, added: extra, identifier, span)
            guard left.count != 0 else { return single }
            let trigger = NotificationTrigger.rule(
                NotificationRule(
                    rule.description, timeZone: start.zone ?? floatingZone, until: left.until,
                    count: left.count))
            return [item(identifier, trigger)] + single
        }
        let earliest =
            start.isDay
            ? startZone.instant(-span.total, onWallClockAfter: now)
            : startZone.instant(
                -span.days * 86_400,
                onWallClockAfter: now.adding(microseconds: -span.seconds * 1_000_000))
        // Include `earliest` itself. If a clock change removes several times of a day, they become
        // one instant, so even this start may have an alarm ahead. `each` leaves out past alarms.
        let dates = series.dates(after: earliest.adding(microseconds: -1))
        let isCut = dates.count == Limits.calendarDates.most * 2
        let kept = dates.filter { !excluded.contains($0) }
        return each(others.union(kept), added: others, isCut: isCut, identifier, span)
    }

    /// One request for each start whose alarm lies ahead, up to the import limit.
    ///
    /// `added` has the starts that the event lists one by one (RDATE). `isCut` says that the
    /// recurrence has further dates after those in `starts`.
    ///
    /// If the limit leaves out a listed start, or ends a recurrence early, a warning says so. In a
    /// followed folder, a recurrence causes no warning, because later updates add its next dates.
    private mutating func each(
        _ starts: Set<Instant>, added: Set<Instant>, isCut: Bool = false, _ identifier: String,
        _ span: ICalendarDuration
    ) -> [ImportItem] {
        let ahead = starts.filter { alarm(span, after: $0) > now }.sorted()
        let (taken, others) = (
            ahead.prefix(Limits.calendarDates.most), ahead.dropFirst(Limits.calendarDates.most)
        )
        if source == ICalendarImport.file, isCut || !added.isSuperset(of: others) {
            addWarning(endText(last: taken.last))
        }
        let left = others.filter(added.contains)
        if let first = left.first {
            addWarning(
                "\(left.count) of its dates, from \(startZone.rfc3339(first)) on, are left out: at "
                    + "most \(Limits.calendarDates.most) are imported at once. "
                    + "\(Limits.calendarDates.remedy).")
        }
        let days = starts.map { startZone.civilTime(at: $0).dateText }
        let counts = Dictionary(days.map { ($0, 1) }, uniquingKeysWith: +)
        return taken.map { date in
            let time = startZone.civilTime(at: date)
            let day = time.dateText
            let clock = counts[day] == 1 ? "" : "T" + time.clockText
            return item(
                "\(identifier)@\(day)\(clock)",
                .at(alarm(span, after: date)), start: start.isDay ? nil : date)
        }
    }

    /// The warning that a recurrence goes on after its last imported date `last`.
    ///
    /// `last` is nil if no date is imported.
    private func endText(last: Instant?) -> String {
        let most = Limits.calendarDates.most
        guard let last else {
            return "its next \(most * 2) dates are cancelled, so it has no notifications yet. "
                + "Import the event again when these dates are over."
        }
        return "its recurrence becomes single dates, and the notifications end with the date "
            + "\(startZone.rfc3339(last)): at most \(most) are imported at once. "
            + "\(Limits.calendarDates.remedy)."
    }

    /// The date of an alarm that fires `span` after a start.
    ///
    /// For an event of a whole day, the whole `span` follows the wall clock, as in a rule: 9:00
    /// stays 9:00 if the clocks change.
    private func alarm(_ span: ICalendarDuration, after start: Instant) -> Instant {
        guard self.start.isDay else {
            let day =
                span.days == 0
                ? start : startZone.instant(span.days * 86_400, onWallClockAfter: start)
            return day.adding(microseconds: span.seconds * 1_000_000)
        }
        // If a clock change removes midnight, `start` is 1:00, so count from midnight instead.
        let day = startZone.civilTime(at: start).dayNumber
        return startZone.instant(of: CivilTime(seconds: day * 86_400 + span.total))
    }

    /// The starts that an RDATE adds, and those that an EXDATE cancels or an exception replaces.
    private mutating func readDates() -> (added: Set<Instant>, excluded: Set<Instant>) {
        let (added, cancelled) = (dates("RDATE"), dates("EXDATE"))
        for part in added.unknown {
            addWarning("the RDATE value \(part.quotedForMessage()) is no date and is left out.")
        }
        for part in cancelled.unknown {
            addWarning(
                "the EXDATE value \(part.quotedForMessage()) is no date, so it cancels no alarm.")
        }
        return (added.known, cancelled.known.union(exceptions.compactMap(instant)))
    }

    /// The dates of all lines with this name, and the values that are not dates.
    ///
    /// The date of a period is its start.
    private func dates(_ name: String) -> (known: Set<Instant>, unknown: [String]) {
        var result: (known: Set<Instant>, unknown: [String]) = ([], [])
        for line in component.lines where line.name == name {
            let zoneName = line.zone { zone($0) != nil }
            for part in line.value.split(separator: ",") {
                let text = String(part.prefix { $0 != "/" })
                let time = ICalendarTime(text, zone: zoneName)
                if let date = time.flatMap(instant) {
                    result.known.insert(date)
                } else {
                    result.unknown.append(String(part))
                }
            }
        }
        return result
    }

    // MARK: Content

    private func item(
        _ identifier: String, _ trigger: NotificationTrigger, start: Instant? = nil
    ) -> ImportItem {
        var texts = details
        if let start, trigger != .at(start) {
            texts.insert(String(startZone.civilTime(at: start).clockText.prefix(5)), at: 0)
        }
        let body = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        var content = RequestTag.content(
            title.isEmpty ? "Event" : title, Limits.calendarText.cut(body.unicodeScalars),
            at: now)
        content.userInfo[ICalendarImport.mark] = .string(source)
        content.threadIdentifier = "calendar"
        return ImportItem(
            request: NotificationRequest(
                identifier: identifier, content: content, trigger: trigger), source: source)
    }

    private mutating func addWarning(_ text: String) {
        let error = ToolError.data("\(identifier.quotedForMessage()): \(text)")
        if noted.insert(error).inserted { notes.append(error) }
    }
}
