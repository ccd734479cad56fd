internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel

/// Collects the readable rows of a damaged database in a new one.
///
/// It reads the tables that the new database's schema names, so no table is left out:
/// - It reads a table forwards up to the first unreadable row, and then backwards in the same way.
/// - If the table has row numbers, it then reads each row by its number, which it finds in the
///   table's pages. A damaged page then hides only its own rows and the rows of the pages below it.
///
/// A record says whether rows are missing. The rescue reads an image, so the damaged database stays
/// unchanged.
struct StoreRescue {
    /// The path of the damaged database's image.
    let source: String
    /// The name that the damaged database will have.
    let name: String
    let date: Instant
    /// Whether the image has all blocks of the damaged database and its log.
    var isImageWhole = true

    /// Fills a new database.
    func run(into target: Database) throws {
        try target.inTransaction {
            var isWhole = false
            // Remove the new UUID: the copied rows of `meta` bring the former database's UUID.
            try target.execute(sql: "DELETE FROM meta")
            // Use a separate connection: a damaged file would make a shared connection fail.
            if let damaged = try Self.open(source) {
                isWhole = try damaged.writeWithoutTransaction { try copy(from: $0, into: target) }
                try? damaged.close()
            }
            try target.execute(
                sql: "INSERT OR IGNORE INTO meta VALUES ('uuid', lower(hex(randomblob(16))))")
            try restoreReferences(in: target)
            try conclude(in: target, isWhole: isWhole && isImageWhole)
            return .commit
        }
    }

    /// Opens the damaged file; returns nil if SQLite cannot read it at all.
    ///
    /// Throws if memory or descriptors are short, because such a shortage does not mean damage.
    private static func open(_ path: String) throws -> DatabaseQueue? {
        do {
            return try DatabaseQueue(path: path, configuration: tolerant)
        } catch let error as DatabaseError where Self.isShortage(error) {
            throw error
        } catch {
            return nil
        }
    }

    /// Whether the process lacks a resource that reading needs.
    static func isShortage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_NOMEM, .SQLITE_CANTOPEN].contains(error.resultCode)
    }

    /// Makes SQLite read the intact schema entries although other entries are damaged.
    private static var tolerant: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            // With a damaged schema only the first statement fails, so first run a statement that
            // may fail.
            _ = try? Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_schema")
        }
        return configuration
    }

    /// Runs a body on a damaged file; returns nil if the file cannot be read.
    @discardableResult
    private static func withDamagedFile<Value>(
        at path: String, _ body: (Database) throws -> Value
    ) -> Value? {
        guard let damaged = try? DatabaseQueue(path: path, configuration: tolerant) else {
            return nil
        }
        defer { try? damaged.close() }
        return try? damaged.writeWithoutTransaction(body)
    }

    /// The entries of a damaged file's schema, as far as they can be read.
    static func entries(of path: String) -> [SchemaFile.Entry] {
        withDamagedFile(at: path, SchemaFile.entries) ?? []
    }

    /// Removes the indexes from the image; the new database builds its own.
    ///
    /// With the indexes, the check of a table would fail even if only an index is damaged. The
    /// record would then say that rows are missing.
    static func forgetIndexes(of path: String) {
        withDamagedFile(at: path) { database in
            // Keep an index that has no SQL: it belongs to the UNIQUE constraint of a table.
            try database.execute(
                sql: "DELETE FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
        }
    }

    /// The number of readable rows; a row with the right checksum counts 1000 times.
    ///
    /// With a wrong schema, SQLite may read many rows, but their values are wrong.
    static func intactRows(of path: String) -> Int {
        withDamagedFile(at: path, intactRows) ?? 0
    }

    private static func intactRows(in database: Database) throws -> Int {
        var count = 0
        for table in try tables(of: database) {
            guard
                let rows = try? Row.fetchCursor(database, sql: "SELECT * FROM \(table) NOT INDEXED")
            else { continue }
            while let row = try? rows.next() {
                count += TableRescue.isIntact(row, of: table) == true ? 1_000 : 1
            }
        }
        return count
    }

    /// Whether a newer version wrote this file; false if the file's version cannot be read.
    static func isNewer(_ path: String) -> Bool {
        withDamagedFile(at: path, CenterSchema.isNewer) ?? false
    }

    /// The tables whose rows are copied.
    ///
    /// The table `record` comes first, because the rescue adds a record for each damaged row. An
    /// added record must not take the row number of a copied record.
    static func tables(of database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                ORDER BY name <> 'record', name
                """
        ).filter { name in
            name != StoreTable.migrations && StoreTable.named(name)?.renaming != .derived
        }
    }

    /// Copies all tables; returns whether no row is missing.
    private func copy(from damaged: Database, into target: Database) throws -> Bool {
        var isWhole = true
        for table in try Self.tables(of: target) {
            var rescue = TableRescue(
                table: table, source: damaged, image: StoreImage(path: source), target: target,
                columns: Set(try target.columns(in: table).map(\.name)), date: date)
            isWhole = try rescue.run() && isWhole
        }
        try copySequences(from: damaged, into: target)
        return isWhole
    }

    /// Carries the last row numbers over: apps may know the numbers of deleted rows.
    private func copySequences(from damaged: Database, into target: Database) throws {
        let rows = (try? Row.fetchAll(damaged, sql: "SELECT name, seq FROM sqlite_sequence")) ?? []
        for row in rows {
            guard let name: String = row.checked("name"), let number: Int64 = row.checked("seq")
            else { continue }
            // A table that is empty now has no entry yet.
            try target.execute(
                sql: """
                    INSERT INTO sqlite_sequence SELECT name, 0 FROM sqlite_schema
                    WHERE type = 'table' AND name = ?1
                    AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                    """, arguments: [name])
            // A damaged number must not use up all row numbers. Each run of the daemon reserves a
            // million response numbers, and even a million runs stay far below this bound.
            try target.execute(
                sql: """
                    UPDATE sqlite_sequence SET seq = ?2
                    WHERE name = ?1 AND seq < ?2 AND ?2 < 1 << 60
                    """, arguments: [name, number])
        }
    }

    /// Restores the references to attachments: the next start deletes a file to which no row
    /// refers.
    private func restoreReferences(in target: Database) throws {
        for owner in AttachmentReferences.Owner.allCases {
            let rows = try Row.fetchCursor(
                target, sql: "SELECT row, payload FROM \(owner.rawValue)")
            while let row = try rows.next() {
                guard let number: Int64 = row.checked("row"),
                    let payload: Data = row.checked("payload"),
                    let attachments = Self.attachments(of: owner, in: payload),
                    !attachments.isEmpty
                else { continue }
                try AttachmentReferences.add(
                    attachments.map(\.path), owner: owner, row: number, in: target)
            }
        }
    }

    private static func attachments(
        of owner: AttachmentReferences.Owner, in payload: Data
    ) -> [NotificationAttachment]? {
        switch owner {
        case .request, .notification:
            return (try? PayloadCoding.decodeRequest(from: payload))?.content.attachments
        case .response:
            let stored = try? PayloadCoding.decode(NotificationResponse.record, from: payload)
            return stored?.notification.request.content.attachments
        }
    }

    private func conclude(in target: Database, isWhole: Bool) throws {
        let kept: Int = try target.value("SELECT COUNT(*) FROM request") ?? 0
        var message = "the store was damaged; \(kept) waiting requests were kept"
        if isWhole {
            // The damaged file still holds deleted texts, so mark it for removal.
            try CenterStore.setMeta(Self.wholeKey, name, in: target)
            message += " and nothing is missing"
        } else {
            message += ", but some rows could not be read; the damaged file is kept as \(name)"
        }
        Log.store.error("\(message)")
        try Self.keepRecord(message, date: date, in: target)
    }

    /// The key in `meta` for the name of the damaged file, until the file is removed.
    static let wholeKey = "rescued whole"

    static func keepRecord(
        _ message: String, of app: ApplicationID? = nil, _ identifier: String = "", date: Instant,
        in target: Database
    ) throws {
        try CenterStore.keepRecord(
            NotificationRecord(
                app: app, identifier: identifier, date: date, reason: .damaged, message: message),
            limits: StoreLimits(), in: target)
    }
}
