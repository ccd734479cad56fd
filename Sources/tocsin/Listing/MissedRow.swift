internal import NotificationModel
internal import NotificationSchedule

/// One line of `tocsin missed`.
struct MissedRow: Hashable {
    /// What comes later than this was not in time, in microseconds.
    private static let tolerance: Int64 = 60_000_000

    /// Nil where it is about the store itself.
    var app: ApplicationID?
    var identifier: String
    var title: String
    /// Nil where it is not known.
    var due: Instant?
    /// Nil while it waits, and for what is never shown.
    var shown: Instant?
    /// Why, for people.
    var note: String
    /// Why, for programs: the word of a record, or one of those here.
    var reason: String
    /// Its place among the rows: when it was due, or what became of it was told.
    private var place: Instant
    /// Whether nothing is shown of it any more.
    private var isOver = false

    /// What waits though its date is past; nil for others.
    init?(_ pending: PendingNotification, status: ServiceStatus, now: Instant) {
        guard let date = pending.nextFire,
            date.adding(microseconds: Self.tolerance) < now
                || (date <= now && !status.presenter.isAvailable)
        else { return nil }
        self.init(pending.app, pending.request, due: date)
        let isAvailable = status.presenter.isAvailable
        let waits =
            status.hosting == InboxService.hosting
            ? "waits for login: no session bus is here"
            : "waits for a notification server: none is on the bus"
        note = isAvailable ? "is being shown" : waits
        reason = isAvailable ? "showing" : "waiting"
    }

    /// What was delivered late; nil for others.
    init?(_ delivered: DeliveredNotification, due: Instant?) {
        guard let due, due.adding(microseconds: Self.tolerance) < delivered.date else { return nil }
        self.init(delivered.app, delivered.request, due: due)
        shown = delivered.date
        let late = RelativeTime(now: delivered.date, zone: .fixed(0)).distance(due)
        note = "shown late, it was due \(late)"
        reason = "shown-late"
    }

    /// What came to nothing; nil for what was skipped and lies ahead.
    init?(_ record: NotificationRecord, now: Instant) {
        if record.reason == .skipped, record.due ?? now > now { return nil }
        app = record.app
        identifier = record.identifier
        title = record.title
        due = record.due
        note = RecordText.reason(record)
        reason = record.reason.rawValue
        place = record.due ?? record.date
        isOver = true
    }

    private init(_ app: ApplicationID, _ request: NotificationRequest, due: Instant) {
        self.app = app
        identifier = request.identifier
        title = request.content.title
        self.due = due
        place = due
        (note, reason) = ("", "")
    }

    /// Oldest first; of the same date as they come.
    static func ordered(_ rows: [MissedRow]) -> [MissedRow] {
        rows.enumerated().sorted { left, right in
            (left.element.place, left.offset) < (right.element.place, right.offset)
        }.map(\.element)
    }

    func object(zone: ZoneOffsets) -> RecordValue {
        .record([
            .init("id", RecordValue(identifier.isEmpty ? nil : identifier)),
            .init("app", RecordValue(app?.rawValue)), .init("title", .string(title)),
            .init("due", RecordValue(due.map { RFC3339.text($0, zone: zone) })),
            .init("shown", RecordValue(shown.map { RFC3339.text($0, zone: zone) })),
            .init("note", .string(note)), .init("reason", .string(reason)),
        ])
    }

    static func table(_ rows: [MissedRow], times: RelativeTime, showsApp: Bool) -> String {
        var table = TextTable(
            heading: ["ID"] + (showsApp ? ["APP"] : []) + ["DUE", "SHOWN", "TITLE", "WHY"])
        for row in rows {
            table.add(
                [row.identifier.isEmpty ? "-" : row.identifier]
                    + (showsApp ? [row.app?.rawValue ?? "-"] : [])
                    + [
                        row.due.map(times.absolute) ?? "-",
                        row.shown.map(times.absolute) ?? (row.isOver ? "never" : "not yet"),
                        row.title, row.note,
                    ])
        }
        return table.text
    }
}
