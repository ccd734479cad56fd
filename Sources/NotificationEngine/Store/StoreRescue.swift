internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel

/// Copies what can still be read of a damaged database into a new one.
///
/// Each table is read from both ends up to the first row that is gone; between them rows are asked
/// for one by one by their number, so that a page costs its own rows only.
struct StoreRescue {
    /// How many numbers without a row are tried before a table counts as read to its end.
    private static let patience: Int64 = 10_000

    /// The path of the damaged database.
    let source: String

    /// Fills a new database; what cannot be read is missing in it, and a record says so.
    func run(into target: Database) throws {
        try target.inTransaction {
            var isComplete = false
            // With a connection of its own: one that knew the damaged file would fail with it.
            if let damaged = try? DatabaseQueue(path: source) {
                try damaged.inDatabase { try copy(from: $0, into: target, isComplete: &isComplete) }
                try? damaged.close()
            }
            try conclude(in: target, isComplete: isComplete)
            return .commit
        }
    }

    private func copy(
        from damaged: Database, into target: Database, isComplete: inout Bool
    ) throws {
        isComplete = true
        for table in ["request", "notification", "response", "record"] {
            guard let low = copyInOrder(table, from: damaged, into: target) else { continue }
            isComplete = false
            let high = copyInOrder(
                table, order: "ORDER BY row DESC", from: damaged, into: target)
            copySingly(table, between: low, and: high ?? 0, from: damaged, into: target)
        }
        for table in [
            "application", "category", "attachment", "attachment_file", "permission", "badge",
            "launch_command",
            "launch",
        ] {
            _ = copyInOrder(table, from: damaged, into: target)
        }
    }

    /// Copies up to the first unreadable row; returns the last one's number, or nil at the end.
    private func copyInOrder(
        _ table: String, order: String = "", from damaged: Database, into target: Database
    ) -> Int64? {
        var last: Int64 = 0
        do {
            let rows = try Row.fetchCursor(
                damaged, sql: "SELECT * FROM \(table) NOT INDEXED \(order)")
            while let row = try rows.next() {
                try? insert(row, into: table, of: target)
                last = row.checked("row") ?? last
            }
            return nil
        } catch {
            return last
        }
    }

    private func copySingly(
        _ table: String, between low: Int64, and high: Int64, from damaged: Database,
        into target: Database
    ) {
        guard
            let find = try? damaged.makeStatement(
                sql: "SELECT * FROM \(table) NOT INDEXED WHERE row = ?")
        else { return }
        // Nothing could be read from the end: then the end is not known either.
        let end = high > low ? high : .max
        var (number, last) = (low, low)
        while number + 1 < end, number - last < Self.patience {
            number += 1
            guard let row = try? Row.fetchOne(find, arguments: [number]) else { continue }
            try? insert(row, into: table, of: target)
            last = number
        }
    }

    /// Passes over a row that breaks a rule of its table, as damage may make one.
    private func insert(_ row: Row, into table: String, of target: Database) throws {
        guard isIntact(row, of: table) else {
            // It would keep a good row of the same name out, or wait behind a wrong due time for
            // ever.
            let app: String? = row.checked("app")
            return try keep(
                "damaged in the store", of: app.flatMap { try? ApplicationID($0) },
                row.checked("identifier") ?? "", in: target)
        }
        // By name: a store of an earlier version lacks columns of this one.
        let columns = row.columnNames.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
        let sql = "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))"
        try target.cachedStatement(sql: sql)
            .execute(arguments: StatementArguments(row.databaseValues))
    }

    private func isIntact(_ row: Row, of table: String) -> Bool {
        switch table {
        case "request": RequestRow(row).isIntact
        case "notification": NotificationRow(row).isIntact
        default: true
        }
    }

    private func conclude(in target: Database, isComplete: Bool) throws {
        let kept = try Int.fetchOne(target, sql: "SELECT COUNT(*) FROM request") ?? 0
        let message =
            "the store was damaged; \(kept) waiting requests were kept"
            + (isComplete ? "" : ", others could not be read")
        Log.store.error("\(message)")
        try keep(message, in: target)
    }

    private func keep(
        _ message: String, of app: ApplicationID? = nil, _ identifier: String = "",
        in target: Database
    ) throws {
        try CenterStore.keep(
            NotificationRecord(
                app: app, identifier: identifier, date: lastWritten, reason: .damaged,
                message: message), limits: StoreLimits(), in: target)
    }

    /// When the damaged file was written last, the only time that is known here.
    private var lastWritten: Instant {
        var status = stat()
        guard stat(source, &status) == 0 else { return Instant(microseconds: 0) }
        let time = status.st_mtim
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
