internal import Foundation
internal import GRDB
internal import Logging
import NotificationModel

/// Copies what can still be read of a damaged database into a new one.
///
/// Each table is read in its order up to the first page that is gone; behind it rows are asked for
/// one by one by their number, so that a page costs its own rows only.
struct StoreRescue {
    /// How many numbers without a row are tried before a table counts as read to its end.
    private static let patience: Int64 = 10_000

    let source: String

    func run(into database: Database) throws {
        try database.execute(sql: "ATTACH ? AS damaged", arguments: [source])
        defer { try? database.execute(sql: "DETACH damaged") }
        try database.inTransaction {
            for table in ["request", "notification", "response", "record"] {
                let last = copyInOrder(table, in: database)
                if let last { copySingly(table, after: last, in: database) }
            }
            for table in ["application", "category", "attachment"] {
                _ = copyInOrder(table, in: database)
            }
            try removeDamaged(in: database)
            return .commit
        }
    }

    /// Copies up to the first unreadable page; returns the last row's number, or nil at the end.
    private func copyInOrder(_ table: String, in database: Database) -> Int64? {
        var last: Int64 = 0
        do {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM damaged.\(table) NOT INDEXED")
            while let row = try rows.next() {
                try insert(row, into: table, of: database)
                last = row.checked("row") ?? last
            }
            return nil
        } catch {
            return last
        }
    }

    private func copySingly(_ table: String, after start: Int64, in database: Database) {
        var (number, last) = (start, start)
        while number - last < Self.patience {
            number += 1
            let row = try? Row.fetchOne(
                database, sql: "SELECT * FROM damaged.\(table) NOT INDEXED WHERE row = ?",
                arguments: [number])
            guard let row, (try? insert(row, into: table, of: database)) != nil else { continue }
            last = number
        }
    }

    /// OR IGNORE passes over a row that breaks a rule of its table, as damage may make one.
    private func insert(_ row: Row, into table: String, of database: Database) throws {
        let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO main.\(table) VALUES (\(places))")
            .execute(arguments: StatementArguments(row.databaseValues))
    }

    /// Behind a wrong due time a request would wait for ever.
    private func removeDamaged(in database: Database) throws {
        let condition = """
            checksum IS NOT request_checksum(app, identifier, due_wall, due_boot, payload)
            """
        try database.execute(
            sql: """
                INSERT INTO record (at, app, identifier, message)
                SELECT due_wall, app, identifier, 'damaged in the store' FROM main.request
                WHERE \(condition);
                DELETE FROM main.request WHERE \(condition);
                """)
        let kept = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM main.request") ?? 0
        Log.store.notice("\(kept) waiting requests were kept from the damaged store")
        try database.execute(
            sql: "INSERT INTO record (at, app, identifier, message) VALUES (0, '', '', ?)",
            arguments: ["the store was damaged; \(kept) waiting requests were kept"])
    }
}
