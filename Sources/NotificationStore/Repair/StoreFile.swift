internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel

/// Opens the database file of a store, also after damage or an interrupted repair.
///
/// It owns the settings of the connection, the checks of the file, and its repair.
///
/// Damaged data never makes a start fail: a new database with all readable rows replaces a damaged
/// one. The new database is whole and on the disk before any file is moved.
///
/// It never changes a store that a newer version wrote.
struct StoreFile: Sendable {
    /// Up to this size in bytes, every start checks the file's integrity, in a few milliseconds.
    ///
    /// In a larger file, the first statement that reads damaged data finds the damage.
    private static let checkedSize: off_t = 4 << 20

    let layout: StoreLayout
    /// Whether committed changes outlive a power cut.
    var isDurable = true
    /// The time of opening; nil if the caller gives no time.
    var now: Instant?
    var step: @Sendable (EngineStep) -> Void = { _ in }

    let place: StorePlace

    init(layout: StoreLayout) {
        self.layout = layout
        place = StorePlace(paths: [layout.database, layout.log])
    }

    private var exchange: StoreExchange { StoreExchange(layout: layout, step: step) }
    private var mark: OpenMark { OpenMark(layout: layout) }

    /// Opens or makes the database; replaces a damaged one.
    func open() throws(NotificationError) -> DatabaseQueue {
        do {
            let wasExchanged = try exchange.finish()
            exchange.removeUnfinished()
            let finding = wasExchanged ? nil : try mark.finding()
            let database = try openOrRebuild(finding)
            if let finding { Log.store.error("\(finding.message)") }
            attempt("the findings of the start") {
                if let finding { try database.write { try keepRecord(finding.message, in: $0) } }
                try removeRescued(in: database)
                try mark.set()
            }
            return database
        } catch {
            throw Self.translate(error, what: "opened", store: layout.database)
        }
    }

    /// Opens the store for its owner; if another store has taken over its rows, makes a new store.
    func openAsOwner() throws(NotificationError) -> DatabaseQueue {
        let database = try open()
        do {
            let layout = layout
            guard try database.write({ try StoreAdoption.isTakenOver($0, of: layout) }) else {
                return database
            }
            try close(database)
        } catch {
            throw Self.translate(error, what: "opened", store: layout.database)
        }
        Log.store.notice("another store has taken over \(layout.directory); a new store begins")
        for path in [layout.schema, layout.database, layout.log] { unlink(path) }
        return try open()
    }

    /// Does optional work of a start; logs a failure, for example on a full disk.
    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Log.store.error("\(what) could not be recorded: \(error)")
        }
    }

    private func openOrRebuild(_ finding: OpenMark.Finding?) throws -> DatabaseQueue {
        if finding?.needsRescue == true { return try rebuild() }
        do {
            return try openMigrated()
        } catch let error as DatabaseError where Self.isDamage(error) {
            return try rebuild()
        }
    }

    /// Whether the error shows damage, or a block that the disk cannot read.
    ///
    /// While SQLite reads the log and the schema, it reports such a block as
    /// `SQLITE_IOERR_CORRUPTFS`. Later it reports `SQLITE_CORRUPT` (vdbe.c, `abort_due_to_error`).
    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
            || error.extendedResultCode == .SQLITE_IOERR_CORRUPTFS
    }

    /// Collects all readable rows in a new database, which then replaces the damaged one.
    ///
    /// `close` closes the damaged database.
    func rebuild(close: () throws -> Void = {}) throws -> DatabaseQueue {
        // A rescue that fails must not leave its copies on a disk that may be full.
        defer { exchange.removeUnfinished() }
        let image = StoreImage(path: layout.image)
        let (id, isImageWhole) = try image.write(from: layout.database, log: layout.log)
        step(.imageWritten)
        let database = try connect(layout.collected)
        try CenterSchema.migrator.migrate(database)
        let fresh = try database.read(SchemaFile.entries)
        try restoreSchema(of: image, id: id, fresh: fresh)
        if StoreRescue.isNewer(layout.image) { throw newer }
        StoreRescue.forgetIndexes(of: layout.image)
        let rescue = StoreRescue(
            source: layout.image,
            name: (exchange.name(for: .damaged) as NSString).lastPathComponent,
            date: now ?? lastWritten, isImageWhole: isImageWhole)
        try database.writeWithoutTransaction { try rescue.run(into: $0) }
        step(.rowsCollected)
        try database.close()
        // While the mark exists, a missing log counts as damage. The new database has no log until
        // it is opened, so remove the mark first.
        try mark.remove()
        try exchange.prepare(.damaged)
        try close()
        _ = try exchange.finish()
        exchange.removeUnfinished()
        let opened = try openMigrated()
        try mark.set()
        try removeRescued(in: opened)
        return opened
    }

    /// Writes the database of an open connection again after its files were removed or replaced.
    ///
    /// If the disk is full, this throws `noSpace`, and the connection stays open.
    func rewrite(_ open: DatabaseQueue) throws -> DatabaseQueue {
        let wasReplaced =
            FileManager.default.fileExists(atPath: layout.database)
            && !place.isOurs(layout.database)
        try StoreDirectory(path: layout.directory).prepare()
        defer { exchange.removeUnfinished() }
        let former = exchange.name(for: .replaced)
        do {
            let target = try DatabaseQueue(path: layout.collected)
            try open.backup(to: target)
            try target.close()
            try mark.remove()
            try exchange.prepare(.replaced)
        } catch {
            throw Self.translate(error, what: "written anew", store: layout.database)
        }
        // Delete the log and the database if they are still the store's files: `target` is newer.
        for path in [layout.log, layout.database] where place.isOurs(path) { unlink(path) }
        // Before the database closes, rename the files that another program has put at these paths:
        // on closing, SQLite deletes any file at the log's path.
        try exchange.setFormerAside(.replaced)
        try open.close()
        _ = try exchange.finish()
        let database = try openMigrated()
        let message =
            "the files of the store were removed or replaced while the notification centre ran; "
            + "they were written anew"
            + (wasReplaced ? ", and the file that was there is kept as \(former)" : "")
        Log.store.error("\(message)")
        try database.write { try keepRecord(message, in: $0) }
        try mark.set()
        return database
    }

    /// Closes the database, which removes its log; the mark must not outlive the log.
    func close(_ database: DatabaseQueue) throws {
        try mark.remove()
        try database.close()
    }

    private func keepRecord(_ message: String, in database: Database) throws {
        try StoreRescue.keepRecord(message, date: now ?? lastWritten, in: database)
    }

    /// Replaces a damaged schema in the image, because a damaged entry hides its table.
    ///
    /// The candidates are the damaged schema, the copy in the schema file, and the schema of a new
    /// store. The image gets the candidate with which SQLite finds the most rows.
    private func restoreSchema(
        of image: StoreImage, id: Int32, fresh: [SchemaFile.Entry]
    ) throws {
        let found = StoreRescue.entries(of: image.path)
        guard SchemaFile.sum(of: found) != id else { return }
        let roots = Dictionary(found.map { ($0.name, $0.root) }) { first, _ in first }
        let repaired = fresh.map { entry in
            var entry = entry
            if let root = roots[entry.name], root > 0 { entry.root = root }
            return entry
        }
        // If a damaged entry hides only a column, the damaged schema finds as many rows as a good
        // one. Subtract 1, so that the good schema wins.
        var best = (page: try image.schemaPage(), count: StoreRescue.intactRows(of: image.path) - 1)
        for entries in [SchemaFile(path: layout.schema).read(), repaired].compactMap(\.self) {
            try image.clearSchema(pages: entries.map(\.root).max() ?? 0)
            try SchemaFile.insertEntries(entries, into: image.path)
            let count = StoreRescue.intactRows(of: image.path)
            if count > best.count { best = (try image.schemaPage(), count) }
        }
        try image.restore(schemaPage: best.page)
    }

    /// Removes a damaged database after all its rows were collected, because its free pages may
    /// hold texts that the user has deleted.
    private func removeRescued(in database: DatabaseQueue) throws {
        let name = try database.read { try CenterStore.meta(StoreRescue.wholeKey, in: $0) }
        guard let name else { return }
        exchange.remove(name)
        try database.write { try CenterStore.setMeta(StoreRescue.wholeKey, nil, in: $0) }
    }

    private var lastWritten: Instant { Self.lastWritten(layout) }

    /// When the database or its log was last written; 1970 if there is neither.
    static func lastWritten(_ layout: StoreLayout) -> Instant {
        let dates = [layout.database, layout.log].compactMap {
            StoreDirectory.status(of: $0)?.st_mtim.microseconds
        }
        return Instant(microseconds: dates.max() ?? 0)
    }
}

// MARK: - Opening

extension StoreFile {
    private func connect(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tocsin.store"
        // Lower the priority: GRDB's default is above the engine's thread, and would delay the
        // engine's answers.
        configuration.qos = .default
        // Wait, because the previous daemon may still be closing its log when the next one starts.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { [isDurable] database in
            database.add(function: RowChecksum.sqlFunction)
            // Keep temporary data in memory. SQLite would write it to a file in /var/tmp, outside
            // of the private directory. If that disk is full or read-only, SQLite could not even
            // delete a large row.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            try database.execute(
                sql: isDurable
                    ? "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
                    : "PRAGMA synchronous = OFF")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func openMigrated() throws -> DatabaseQueue {
        try makePrivateFile()
        guard StoreImage.hasIntactHeader(layout.database) != false else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "the header is damaged")
        }
        let database = try connect(layout.database)
        let migrator = CenterSchema.migrator
        // Verify the schema before any other statement uses it.
        _ = try database.read(verifySchema)
        if try database.read(CenterSchema.isNewer) { throw newer }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        if try !database.read({ try migrator.hasCompletedMigrations($0) }) {
            // A migration changes the tables and so the schema's checksum. Remove the checksum
            // first: an interrupted migration must not look like damage.
            try database.writeWithoutTransaction { database in
                try checkSchema(database)
                try database.execute(sql: "PRAGMA application_id = 0")
            }
        }
        try migrator.migrate(database)
        try database.writeWithoutTransaction(checkSchema)
        try checkOrder(database)
        attempt("the schema") {
            try SchemaFile(path: layout.schema).write(database.read(SchemaFile.entries))
        }
        place.recordIdentities()
        return database
    }

    private var newer: NotificationError {
        NotificationError(
            .storeUnavailable,
            "The store \(layout.database.quotedForMessage()) was written by a newer version, or by "
                + "a development version, and is left untouched. Install that version again, or "
                + "move the store away.")
    }

    /// Makes the file before SQLite opens it, because SQLite's log gets the same permissions.
    private func makePrivateFile() throws {
        let file = Glibc.open(layout.database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            // Keep the number: making a text may change `errno`.
            let reason = errno
            throw NotificationError(
                reason == ENOSPC || reason == EDQUOT ? .noSpace : .storeUnavailable,
                "The store \(layout.database.quotedForMessage()) could not be opened: "
                    + "\(String(cString: strerror(reason))). Check the permissions of its "
                    + "directory.")
        }
        fchmod(file, 0o600)
        Glibc.close(file)
    }

    /// Verifies the schema's checksum, which is the file's application id; stores a missing
    /// checksum.
    ///
    /// A flipped bit may leave a schema that SQLite accepts but with which every later statement
    /// fails.
    func checkSchema(_ database: Database) throws {
        guard try verifySchema(database) == 0 else { return }
        let sum = SchemaFile.sum(of: try SchemaFile.entries(of: database))
        try database.execute(sql: "PRAGMA application_id = \(sum)")
    }

    /// Returns the stored checksum, 0 for none; throws if the schema does not match it.
    @discardableResult
    private func verifySchema(_ database: Database) throws -> Int32 {
        let entries = try SchemaFile.entries(of: database)
        let stored = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard stored == 0 || stored == SchemaFile.sum(of: entries) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the schema was changed")
        }
        return stored
    }

    /// Finds damage that SQLite would meet only later, or never.
    ///
    /// If an index disagrees with its table, SQLite could overlook a request.
    private func checkOrder(_ database: DatabaseQueue) throws {
        let size = StoreDirectory.status(of: layout.database)?.st_size
        guard let size, size <= Self.checkedSize else { return }
        try database.read(Self.checkIntegrity)
    }

    static func checkIntegrity(of database: Database) throws {
        let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard verdict == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
    }
}

// MARK: - Errors

extension StoreFile {
    static func translate(
        _ error: any Error, what: String, store: String
    ) -> NotificationError {
        if let error = error as? NotificationError { return error }
        let name = store.quotedForMessage()
        let full = DatabaseError(resultCode: .SQLITE_FULL)
        guard let error = StoreDirectory.isFull(error) ? full : error as? DatabaseError else {
            return NotificationError(
                .storeUnavailable, "The store \(name) could not be \(what): \(error).")
        }
        let isFull = StoreReserve.isFull(store, after: error)
        let code = isFull ? NotificationError.Code.noSpace : .storeUnavailable
        let reason =
            switch error.resultCode {
            case _ where isFull:
                "the disk is full, or your quota on it is used up. Nothing was changed; free some "
                    + "space and try again."
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
                "it cannot be opened or written. Check the permissions of its directory."
            default:
                "\(error.message ?? "SQLite failed") (SQLite \(error.extendedResultCode.rawValue))."
            }
        return NotificationError(code, "The store \(name) could not be \(what): \(reason)")
    }
}
