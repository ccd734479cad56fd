internal import Foundation
internal import GRDB

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
