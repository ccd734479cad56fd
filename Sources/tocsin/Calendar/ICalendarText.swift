internal import NotificationModel
internal import NotificationSchedule

/// Writes what waits as an iCalendar object: each request is an event with an alarm at its start, and
/// a task where it has no date.
struct ICalendarText {
    /// The dates that an event is written with.
    static let maximumDates = 64

    var environment: ToolEnvironment

    /// The whole object (RFC 5545, 3.4); each request comes with its JSON line.
    func text(of pending: [(PendingNotification, line: String)]) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tocsin//tocsin \(Version.current)//EN",
        ]
        for (notification, line) in pending { lines += component(notification, line) }
        lines.append("END:VCALENDAR")
        return lines.map(ICalendarLine.folded).joined()
    }

    private func component(_ pending: PendingNotification, _ line: String) -> [String] {
        let dates = Upcoming(in: environment).dates(of: pending, limit: Self.maximumDates)
        let content = pending.request.content
        let text = ExportedRequest.description(of: content)
        var lines = [
            "UID:\(ICalendarLine.escaped(pending.request.identifier))",
            "DTSTAMP:\(Self.time(environment.now))",
            "SUMMARY:\(ICalendarLine.escaped(content.title))",
        ]
        if !text.isEmpty { lines.append("DESCRIPTION:\(ICalendarLine.escaped(text))") }
        lines.append(ExportedRequest.line(line))
        guard let first = dates.first else { return ["BEGIN:VTODO"] + lines + ["END:VTODO"] }
        lines.append("DTSTART:\(Self.time(first.instant))")
        if dates.count > 1 {
            let others = dates.dropFirst().map { Self.time($0.instant) }
            lines.append("RDATE:\(others.joined(separator: ","))")
        }
        return ["BEGIN:VEVENT"] + lines + [
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S",
            "DESCRIPTION:\(ICalendarLine.escaped(content.title))", "END:VALARM", "END:VEVENT",
        ]
    }

    /// `20261224T170000Z`.
    private static func time(_ instant: Instant) -> String {
        let time = ZoneOffsets.fixed(0).civilTime(at: instant)
        let text = RFC3339.date(time) + "T" + RFC3339.clock(time)
        return text.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
