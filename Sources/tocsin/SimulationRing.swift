internal import NotificationModel
internal import NotificationSchedule

/// A date of a simulation: what becomes of it, and why.
struct SimulationRing {
    /// `rings`, `listed`, `skipped` or `refused`.
    var outcome: String
    /// Why it was refused.
    var reason: String?
    /// The app's id.
    var app: String
    /// The request's identifier.
    var identifier: String
    /// The notification's title.
    var title: String
    /// When it is due.
    var due: Instant
    /// When it happens.
    var fired: Instant
    /// The IANA name of the zone by which it is due.
    var timeZone: String
    /// Why it is due at another time than its rule says.
    var shift: String?
    /// Since when the machine slept, where it is late for that reason.
    var suspendedAt: Instant?
    /// How many later dates are merged into it.
    var missed = 0

    /// Takes the members of a line; nil where some are missing.
    init?(_ values: [String: PropertyListValue]) {
        guard let outcome = values.text("outcome"), let app = values.text("app"),
            let identifier = values.text("id"), let title = values.text("title"),
            let due = values.instant("due"), let fired = values.instant("fired"),
            let timeZone = values.text("timeZone")
        else { return nil }
        (self.outcome, self.app, self.identifier, self.title) = (outcome, app, identifier, title)
        (self.due, self.fired, self.timeZone) = (due, fired, timeZone)
        reason = values.text("message")
        shift = values.text("shift")
        suspendedAt = values.instant("suspendedAt")
        if case .integer(let missed)? = values["missed"] { self.missed = Int(missed) }
    }

    /// Why it is not simply shown when it is due, `zone` being the person's; nil where it is.
    func note(zone: ZoneOffsets) -> String? {
        let times = RelativeTime(now: due, zone: zone)
        var notes = [shift].compactMap(\.self)
        if outcome == "skipped" { notes.append("skipped") }
        if outcome == "listed" { notes.append("in the list only, one popup stands for several") }
        if outcome == "refused" { notes.append("not shown: \(reason ?? "refused")") }
        if let suspendedAt {
            notes.append("late: suspended since \(times.absolute(suspendedAt))")
        } else if fired.microseconds - due.microseconds >= 1_000_000 {
            notes.append("late: it was due before the start")
        }
        if missed > 0 { notes.append("\(missed) more missed, merged into this one") }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// For programs.
    func object(zone: ZoneOffsets, dueZone: ZoneOffsets) -> JSONValue {
        .object([
            .init(
                "fire",
                outcome == "rings" ? .string(RFC3339.text(fired, zone: zone)) : .null),
            .init("due", .string(RFC3339.text(due, zone: dueZone))),
            .init("timeZone", .string(timeZone)),
            .init("outcome", .string(outcome)), .init("id", .string(identifier)),
            .init("app", .string(app)), .init("title", .string(title)),
            .init("missed", .integer(Int64(missed))), .init("note", JSONValue(note(zone: zone))),
        ])
    }

    /// For people: `Sun 2026-11-22 09:00:00 CET  tea  Tea is ready; due …`.
    func line(zone: ZoneOffsets, dueZone: ZoneOffsets) -> String {
        let shown = RelativeTime(now: due, zone: zone).absolute(fired)
        let meant = RelativeTime(now: due, zone: dueZone).absolute(due)
        var text = "\(shown)  \(TerminalEscaping.line(identifier))"
        text += "  \(TerminalEscaping.line(title))"
        if meant != shown { text += "; due \(meant)" }
        if let note = note(zone: zone) { text += "; \(TerminalEscaping.line(note))" }
        return text
    }
}
