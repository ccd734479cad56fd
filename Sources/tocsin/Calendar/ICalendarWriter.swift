internal import NotificationModel
internal import NotificationSchedule

/// Writes pending requests as an iCalendar object.
///
/// A request becomes an event with an alarm at its start. A request without a date becomes a task.
struct ICalendarWriter {
    var environment: ToolEnvironment

    /// The whole object (RFC 5545, 3.4).
    func text(of pending: [PendingNotification]) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tocsin//tocsin \(Version.current)//EN",
        ]
        let counts = Dictionary(pending.map { ($0.request.identifier, 1) }, uniquingKeysWith: +)
        for notification in pending {
            let isShared = counts[notification.request.identifier, default: 0] > 1
            lines += component(notification, isShared: isShared)
        }
        lines.append("END:VCALENDAR")
        return lines.map(ICalendarEscaping.folded).joined()
    }

    /// A sentence about the content that a calendar cannot have; nil if nothing is lost.
    func loss(of pending: [PendingNotification], commandCount: Int) -> String? {
        func count(_ has: (NotificationRequest) -> Bool) -> Int {
            pending.count { has($0.request) }
        }
        let foreignCount = pending.count { $0.app != .tocsin }
        let losses = [
            (count { $0.trigger?.repeats ?? false }, "repeat (their next dates are written)"),
            (
                count { !$0.content.actions.isEmpty || !$0.content.categoryIdentifier.isEmpty },
                "have buttons"
            ),
            (count { !$0.content.attachments.isEmpty }, "have attachments"),
            (commandCount, "have commands"),
            (foreignCount, "belong to other apps"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !losses.isEmpty else { return nil }
        return "A calendar cannot hold everything. Of the notifications, "
            + "\(losses.joined(separator: ", ")). 'tocsin export backup.jsonl --with-commands"
            + "\(foreignCount > 0 ? " --all-apps" : "")' writes all of it."
    }

    /// The lines of a request; `isShared` tells whether another app's request has its identifier.
    ///
    /// An import keeps only one of two events with the same UID. So the UID of a shared identifier
    /// also names the app, except for the tool's own request.
    private func component(_ pending: PendingNotification, isShared: Bool) -> [String] {
        let own = pending.request.identifier
        let identifier = isShared && pending.app != .tocsin ? "\(pending.app.rawValue)/\(own)" : own
        let dates = FireDateForecast(environment: environment).dates(
            of: pending, limit: Limits.calendarDates.most)
        let content = pending.request.content
        let text = [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n")
        var lines = [
            "UID:\(ICalendarEscaping.text(identifier))",
            "DTSTAMP:\(Self.time(environment.now))",
            "SUMMARY:\(ICalendarEscaping.text(content.title))",
        ]
        if !text.isEmpty { lines.append("DESCRIPTION:\(ICalendarEscaping.text(text))") }
        guard let first = dates.first else { return ["BEGIN:VTODO"] + lines + ["END:VTODO"] }
        lines.append("DTSTART:\(Self.time(first.instant))")
        if dates.count > 1 {
            let others = dates.dropFirst().map { Self.time($0.instant) }
            lines.append("RDATE:\(others.joined(separator: ","))")
        }
        return ["BEGIN:VEVENT"] + lines + [
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S",
            "DESCRIPTION:\(ICalendarEscaping.text(content.title))", "END:VALARM", "END:VEVENT",
        ]
    }

    /// `20261224T170000Z`.
    private static func time(_ instant: Instant) -> String {
        let time = ZoneRules.fixed(0).civilTime(at: instant)
        let text = time.dateText + "T" + time.clockText
        return text.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
