internal import NotificationModel
internal import NotificationSchedule

/// One line of `tocsin missed`.
struct MissedRow: Hashable {
    /// What comes later than this was not in time, in microseconds.
    private static let tolerance: Int64 = 60_000_000

    var app: ApplicationID
    var identifier: String
    var title: String
    var due: Instant
    /// Nil while it waits.
    var shown: Instant?
    var note: String

    /// What waits though its date is past; nil for others.
    init?(_ pending: PendingNotification, status: ServiceStatus, now: Instant) {
        guard let date = pending.nextFire,
            date.adding(microseconds: Self.tolerance) < now
                || (date <= now && !status.presenter.isAvailable)
        else { return nil }
        self.init(pending.app, pending.request, due: date)
        note =
            status.presenter.isAvailable
            ? "is being shown" : "waits for login: no notification server is on the bus"
    }

    /// What was delivered late; nil for others.
    init?(_ delivered: DeliveredNotification, due: Instant?) {
        guard let due, due.adding(microseconds: Self.tolerance) < delivered.date else { return nil }
        self.init(delivered.app, delivered.request, due: due)
        shown = delivered.date
        let late = RelativeTime(now: delivered.date, zone: .fixed(0)).distance(due)
        note = "shown late, it was due \(late)"
    }

    private init(_ app: ApplicationID, _ request: NotificationRequest, due: Instant) {
        self.app = app
        identifier = request.identifier
        title = request.content.title
        self.due = due
        note = ""
    }

    func object(zone: ZoneOffsets) -> JSONValue {
        .object([
            .init("id", .string(identifier)), .init("app", .string(app.rawValue)),
            .init("title", .string(title)), .init("due", .string(RFC3339.text(due, zone: zone))),
            .init("shown", JSONValue(shown.map { RFC3339.text($0, zone: zone) })),
            .init("note", .string(note)),
        ])
    }

    static func table(_ rows: [MissedRow], times: RelativeTime, showsApp: Bool) -> String {
        var table = TextTable(
            heading: ["ID"] + (showsApp ? ["APP"] : []) + ["DUE", "SHOWN", "TITLE", "WHY"])
        for row in rows {
            table.add(
                [row.identifier] + (showsApp ? [row.app.rawValue] : []) + [
                    times.absolute(row.due), row.shown.map(times.absolute) ?? "not yet", row.title,
                    row.note,
                ])
        }
        return table.text
    }
}
