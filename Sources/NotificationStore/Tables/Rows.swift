internal import Foundation
internal import GRDB
import NotificationModel

/// A row of the table of requests as it was read, before its content is decoded.
struct RequestRow: Sendable {
    var row: Int64
    var app: String
    var identifier: String
    var state: Int64
    var dueWall: Int64
    var dueBoot: Int64?
    var zone: String?
    /// The date that fired last, of a request that repeats.
    var firedWall: Int64?
    var payload: Data
    var checksum: Int64

    /// What is missing in a damaged row stays empty: the checksum tells.
    init(_ row: Row) {
        self.row = row.checked("row") ?? 0
        app = row.checked("app") ?? ""
        identifier = row.checked("identifier") ?? ""
        state = row.checked("state") ?? 0
        dueWall = row.checked("due_wall") ?? 0
        dueBoot = row.checked("due_boot")
        zone = row.checked("zone")
        firedWall = row.checked("fired_wall")
        payload = row.checked("payload") ?? Data()
        checksum = row.checked("checksum") ?? 0
    }

    /// Whether the row says what was written.
    var isIntact: Bool {
        checksum
            == RowChecksum.of(app, identifier, numbers: [dueWall, dueBoot], payload: payload)
    }

    static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws -> [RequestRow] {
        let statement = try database.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var all: [RequestRow] = []
        while let row = try rows.next() { all.append(RequestRow(row)) }
        return all
    }
}

/// A row of the table of delivered notifications as it was read, before its content is decoded.
struct NotificationRow {
    var row: Int64
    var app: String
    var identifier: String
    var deliveredAt: Int64
    var payload: Data
    private var checksum: Int64?

    /// What is missing in a damaged row stays empty: the checksum tells.
    init(_ row: Row) {
        self.row = row.checked("row") ?? 0
        app = row.checked("app") ?? ""
        identifier = row.checked("identifier") ?? ""
        deliveredAt = row.checked("delivered_at") ?? 0
        payload = row.checked("payload") ?? Data()
        checksum = row.checked("checksum")
    }

    /// Whether the row says what was written.
    var isIntact: Bool {
        checksum == RowChecksum.of(app, identifier, numbers: [deliveredAt], payload: payload)
    }
}

/// A row of the table of records; what a damaged page made of it is left out.
struct RecordRow: ListedRow {
    let row: Int64
    let record: NotificationRecord

    init(_ row: Row) {
        self.row = row.checked("row") ?? 0
        let (app, due): (String?, Int64?) = (row.checked("app"), row.checked("due"))
        record = NotificationRecord(
            app: app.flatMap { try? ApplicationID($0) },
            identifier: row.checked("identifier") ?? "", title: row.checked("title") ?? "",
            date: Instant(microseconds: row.checked("at") ?? 0),
            due: due.map { Instant(microseconds: $0) },
            reason: .init(rawValue: row.checked("reason") ?? "failed"),
            message: row.checked("message") ?? "")
    }

    /// What counts towards the size of a page.
    var payload: Data { Data((record.title + record.message).utf8) }
}

extension Row {
    /// The value of a column, or nil where it has another type or there is no such column.
    ///
    /// A damaged page may hold anything, and GRDB's typed subscripts stop the program there.
    func checked<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        let value: (any DatabaseValueConvertible)? = self[column]
        return value.flatMap { Value.fromDatabaseValue($0.databaseValue) }
    }
}
