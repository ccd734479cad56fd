internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// One line of `tocsin missed`.
struct MissedRow: Hashable {
    /// Nil if the row is about the store itself.
    var app: ApplicationID?
    var identifier: String
    var title: String
    /// Nil if the due date is unknown.
    var due: Instant?
    /// The date of the delivery; nil if the notification was not delivered.
    var shown: Instant?
    /// The reason, for the user.
    var note: String
    /// The reason, for programs: the reason of a record, or `waiting`, `showing` or `shown-late`.
    var reason: String
    /// The date by which rows are sorted: the due date, or the date of the record.
    private var sortDate: Instant
    /// Whether the notification will never be shown.
    private var isOver = false

    /// Sorts the rows, oldest first; rows of the same date keep their order.
    static func ordered(_ rows: [MissedRow]) -> [MissedRow] {
        rows.enumerated().sorted { left, right in
            (left.element.sortDate, left.offset) < (right.element.sortDate, right.offset)
        }.map(\.element)
    }

    func object(zone: ZoneRules) -> RecordValue {
        .record([
            .init("id", identifier.isEmpty ? nil : identifier),
            .init("app", app?.rawValue), .init("title", title),
            .init("due", due.map(zone.rfc3339)), .init("shown", shown.map(zone.rfc3339)),
            .init("note", note), .init("reason", reason),
        ])
    }

    static func table(_ rows: [MissedRow], times: RelativeTime, showsApp: Bool) -> String {
        let rows = rows.map { row in
            [row.identifier.isEmpty ? "-" : row.identifier]
                + (showsApp ? [row.app?.rawValue ?? "-"] : [])
                + [
                    row.due.map(times.absolute) ?? "-",
                    row.shown.map(times.absolute) ?? (row.isOver ? "never" : "not yet"),
                    row.title, row.note,
                ]
        }
        let heading = ["ID"] + (showsApp ? ["APP"] : []) + ["DUE", "SHOWN", "TITLE", "WHY"]
        return TextTable(heading: heading, rows: rows).text
    }
}

extension MissedRow {
    /// Makes a row of a pending request that is late, or that is due while there is no server.
    ///
    /// The result is nil for any other request.
    init?(_ pending: PendingNotification, status: ServiceStatus, now: Instant) {
        let isAvailable = status.presenter.isAvailable
        guard let date = pending.nextFire,
            date.adding(microseconds: DeliveredNotification.tolerance) < now
                || (date <= now && !isAvailable)
        else { return nil }
        let waits =
            status.hosting == InboxService.hosting
            ? "waits for login: no session bus is here"
            : "waits for a notification server: none is on the bus"
        self.init(
            app: pending.app, identifier: pending.request.identifier,
            title: pending.request.content.title, due: date,
            note: isAvailable ? "is being shown" : waits,
            reason: isAvailable ? "showing" : "waiting", sortDate: date)
    }

    /// Makes a row of a notification that was delivered late; nil for any other notification.
    init?(_ delivered: DeliveredNotification) {
        guard let due = delivered.due else { return nil }
        let late = RelativeTime(now: delivered.date, zone: .fixed(0)).distance(due)
        self.init(
            app: delivered.app, identifier: delivered.request.identifier,
            title: delivered.request.content.title, due: due, shown: delivered.date,
            note: "shown late, it was due \(late)", reason: "shown-late", sortDate: due)
    }

    /// Makes a row of a record; nil if the record's date was skipped and is still in the future.
    init?(_ record: NotificationRecord, now: Instant) {
        if record.reason == .skipped, record.due ?? now > now { return nil }
        self.init(
            app: record.app, identifier: record.identifier, title: record.title, due: record.due,
            note: record.explanation, reason: record.reason.rawValue,
            sortDate: record.due ?? record.date, isOver: true)
    }
}

/// `tocsin missed`: lists notifications that were not shown when they were due.
struct MissedCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "missed", abstract: "List what was not shown when it was due, and why.",
        discussion: """
            Lists three kinds of notifications: those that are due now, but wait for a login or a \
            notification server; those that were shown more than a minute late, because the \
            machine was off or asleep; and, for seven days, those that were not shown at all. If \
            several dates of a rule were missed, one line shows the first of them.

            Keys of '--json': id, app and due (each null if unknown), title, shown (null if it \
            was not shown), note, and reason: waiting (for a login or a server), showing (now), \
            shown-late, refused (by the server), late (too late to be shown), denied (the app was \
            not allowed), skipped (on request), damaged (in the store) or failed.
            """)

    @OptionGroup var scope: AppScope

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func run(in environment: ToolEnvironment) async throws {
        let app = try scope.resolved()
        let center = try await CenterClient.openOrInbox(environment, reading: true)
        let status = try await center.status()
        var rows = try await center.requests.pending(of: app).compactMap {
            MissedRow($0, status: status, now: environment.now)
        }
        rows += try await center.delivered(of: app).compactMap { MissedRow($0) }
        rows += try await center.records(of: app).compactMap {
            MissedRow($0, now: environment.now)
        }
        let ordered = MissedRow.ordered(rows)
        let times = RelativeTime(environment)
        if json {
            try Output.lines(ordered.map { $0.object(zone: times.zone).text })
        } else if rows.isEmpty {
            Output.warn("Nothing was missed.")
        } else {
            try Output.write(MissedRow.table(ordered, times: times, showsApp: scope.allApps))
        }
    }
}

extension NotificationRecord {
    /// Why the date was not shown, without the date itself.
    fileprivate var explanation: String {
        switch reason {
        case .refused: "the notification server refused it: \(message)"
        case .late: "too late: \(message)"
        default: message
        }
    }
}

/// The records in the output of `show`.
extension RelativeTime {
    private static let shownRecords = 5

    /// A line for each of the newest records: the date that was not shown, and why.
    func lines(_ records: [NotificationRecord]) -> [String] {
        let lines = records.prefix(Self.shownRecords).map { record in
            "\(absolute(record.due ?? record.date)): \(record.explanation)"
        }
        let rest = records.count - lines.count
        return lines + (rest > 0 ? ["and \(rest) earlier ones; '--json' lists them"] : [])
    }

    /// The object of a record in `show --json`.
    func object(_ record: NotificationRecord) -> RecordValue {
        .record([
            .init("date", zone.rfc3339(record.date)),
            .init("due", record.due.map(zone.rfc3339)),
            .init("reason", record.reason.rawValue), .init("message", record.message),
        ])
    }
}
