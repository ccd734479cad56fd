internal import NotificationModel
internal import NotificationSchedule

/// Writes what waits as an iCalendar object: each request is an event with an alarm at its start.
struct ICalendarText {
    private static let maximumDates = 64

    var environment: ToolEnvironment

    /// The whole object (RFC 5545, 3.4).
    func text(of pending: [PendingNotification]) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tocsin//tocsin \(Version.current)//EN",
        ]
        for notification in pending { lines += event(notification) }
        lines.append("END:VCALENDAR")
        return lines.map(ICalendarLine.folded).joined()
    }

    /// Empty for what has no date.
    private func event(_ pending: PendingNotification) -> [String] {
        let dates = Upcoming(in: environment).dates(of: pending, limit: Self.maximumDates)
        guard let first = dates.first else { return [] }
        let content = pending.request.content
        let text = [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n")
        var lines = [
            "BEGIN:VEVENT", "UID:\(ICalendarLine.escaped(pending.request.identifier))",
            "DTSTAMP:\(Self.time(environment.now))", "DTSTART:\(Self.time(first.instant))",
            "SUMMARY:\(ICalendarLine.escaped(content.title))",
        ]
        if dates.count > 1 {
            let others = dates.dropFirst().map { Self.time($0.instant) }
            lines.append("RDATE:\(others.joined(separator: ","))")
        }
        if !text.isEmpty { lines.append("DESCRIPTION:\(ICalendarLine.escaped(text))") }
        return lines + [
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
