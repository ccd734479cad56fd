internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel

/// Opens the database file of a store, in whatever state it is found.
struct StoreFile: Sendable {
    /// The largest file whose inner order is checked at every start, which takes a few
    /// milliseconds; in a larger one damage is found when it is met.
    private static let checkedSize: off_t = 4 << 20

    let layout: StoreLayout
    /// Whether what is committed outlives a power cut.
    var isDurable = true
    /// When it is opened; nil where nobody says so.
    var now: Instant?
    var step: @Sendable (EngineStep) -> Void = { _ in }

    /// Where the files of the open database lie.
    let place: StorePlace

    init(layout: StoreLayout) {
        self.layout = layout
        place = StorePlace(paths: [layout.database, layout.log])
    }

    private var exchange: StoreExchange { StoreExchange(layout: layout, step: step) }
    private var mark: OpenMark { OpenMark(layout: layout) }

    /// Opens or makes the database.
    ///
    /// One that is damaged is replaced by one with all that can be read of it, so that a start does
    /// not fail on bad data.
    func open() throws(NotificationError) -> DatabaseQueue {
        do {
            let wasExchanged = try exchange.finish()
            exchange.removeUnfinished()
            let finding = wasExchanged ? nil : try mark.finding()
            let database = try openOrRebuild(finding)
            if let finding { Log.store.error("\(finding.message)") }
            attempt("what was found at its start") {
                if let finding { try database.write { try keep(finding.message, in: $0) } }
                try removeRescued(in: database)
                try mark.set()
            }
            return database
        } catch {
            throw Self.translate(error, what: "opened", store: layout.database)
        }
    }

    /// Opens the store for the process that adds to it: one that was taken over begins anew.
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
        Log.store.notice("the store \(layout.directory) was taken over; a new one begins")
        for path in [layout.schema, layout.database, layout.log] { unlink(path) }
        return try open()
    }

    /// Does what a start can do without, on a full disk for example.
    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Log.store.error("\(what) could not be stored beside the store: \(error)")
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

    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    }

    /// Collects what can be read in a new database, which then takes the place of the damaged one.
    ///
    /// Nothing is moved before the new database is whole and on the disk. `close` ends the use of the
    /// damaged one.
    func rebuild(close: () throws -> Void = {}) throws -> DatabaseQueue {
        exchange.removeUnfinished()
        let image = StoreImage(path: layout.image)
        let id = try image.write(from: layout.database, log: layout.log)
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
            date: now ?? lastWritten)
        try database.writeWithoutTransaction { try rescue.run(into: $0) }
        step(.rowsCollected)
        try database.close()
        // The new database has no log until it is opened.
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

    /// Writes the database of an open connection anew, where its files were removed or replaced.
    func rewrite(_ open: DatabaseQueue) throws -> DatabaseQueue {
        let wasReplaced =
            FileManager.default.fileExists(atPath: layout.database)
            && !place.isOurs(layout.database)
        try StoreDirectory(path: layout.directory).prepare()
        exchange.removeUnfinished()
        let former = exchange.name(for: .replaced)
        let target = try DatabaseQueue(path: layout.collected)
        try open.backup(to: target)
        try target.close()
        try mark.remove()
        try exchange.prepare(.replaced)
        // What is ours there is older than the new database.
        for path in [layout.log, layout.database] where place.isOurs(path) { unlink(path) }
        // Closing removes the log of this name, and others' files are kept.
        try exchange.setFormerAside(.replaced)
        try open.close()
        _ = try exchange.finish()
        let database = try openMigrated()
        let message =
            "the files of the store were removed or replaced while the notification centre ran; "
            + "they were written anew"
            + (wasReplaced ? ", and what lay there is kept as \(former)" : "")
        Log.store.error("\(message)")
        try database.write { try keep(message, in: $0) }
        try mark.set()
        return database
    }

    /// Closes the database; what is missing at the next start was taken away after it.
    func close(_ database: DatabaseQueue) throws {
        try mark.remove()
        try database.close()
    }

    private func keep(_ message: String, in database: Database) throws {
        try StoreRescue.keep(message, date: now ?? lastWritten, in: database)
    }

    /// Where an entry is damaged, its table is found by the file beside the store or, without that,
    /// by the text that every store has; whichever finds more rows.
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
        // The damaged entry may have hidden nothing but a column: the file beside the store wins
        // where it finds as much.
        var best = (page: try image.schemaPage(), count: StoreRescue.intactRows(of: image.path) - 1)
        for entries in [SchemaFile(path: layout.schema).read(), repaired].compactMap(\.self) {
            try image.clearSchema(pages: entries.map(\.root).max() ?? 0)
            try SchemaFile.put(entries, into: image.path)
            let count = StoreRescue.intactRows(of: image.path)
            if count > best.count { best = (try image.schemaPage(), count) }
        }
        try image.restore(schemaPage: best.page)
    }

    /// A damaged database holds the texts of what was deleted: it goes once all of it was collected.
    private func removeRescued(in database: DatabaseQueue) throws {
        let name = try database.read { try CenterStore.meta(StoreRescue.wholeKey, in: $0) }
        guard let name else { return }
        exchange.remove(name)
        try database.write { try CenterStore.setMeta(StoreRescue.wholeKey, nil, in: $0) }
    }

    private var lastWritten: Instant { Self.lastWritten(layout) }

    /// When a database or its log was written last; 1970 where there is none.
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
        // Between the exit of one daemon and the start of the next the log may be settling.
        // Not above the engine's thread, whose answers it would hold up (GRDB's own choice is).
        configuration.qos = .default
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { [isDurable] database in
            database.add(function: RowChecksum.sqlFunction)
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
        // Before anything else is read by it.
        _ = try database.read(verifySchema)
        if try database.read(migrator.hasBeenSuperseded) { throw newer }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        if try !database.read({ try migrator.hasCompletedMigrations($0) }) {
            // A store of an earlier version is whole as it is; with other tables it gets another
            // checksum, and none until it has them, wherever this is cut short.
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
        place.note()
        return database
    }

    private var newer: NotificationError {
        NotificationError(
            .storeUnavailable,
            "The store \(layout.database.quotedForMessage()) was written by a newer version, or by "
                + "one in development, and is left untouched. Install that version again, or move "
                + "the store away.")
    }

    /// Made before SQLite opens it, because its log gets the permissions that it has then.
    private func makePrivateFile() throws {
        let file = Glibc.open(layout.database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw NotificationError(
                errno == ENOSPC ? .noSpace : .storeUnavailable,
                "The store \(layout.database.quotedForMessage()) could not be opened: \(reason). "
                    + "Check the permissions of its directory.")
        }
        fchmod(file, 0o600)
        Glibc.close(file)
    }

    /// A flipped bit in the text of the schema may leave a text that SQLite accepts, and every later
    /// statement fails: a checksum of it is kept as the file's application id.
    func checkSchema(_ database: Database) throws {
        guard try verifySchema(database) == 0 else { return }
        let sum = SchemaFile.sum(of: try SchemaFile.entries(of: database))
        try database.execute(sql: "PRAGMA application_id = \(sum)")
    }

    /// The checksum that is kept, 0 for none; throws where the schema is another.
    @discardableResult
    private func verifySchema(_ database: Database) throws -> Int32 {
        let entries = try SchemaFile.entries(of: database)
        let stored = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard stored == 0 || stored == SchemaFile.sum(of: entries) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the schema was changed")
        }
        return stored
    }

    /// Damage that SQLite would meet only later, or never: an index that disagrees with its table
    /// would let a request be forgotten.
    private func checkOrder(_ database: DatabaseQueue) throws {
        let size = StoreDirectory.status(of: layout.database)?.st_size
        guard let size, size <= Self.checkedSize else { return }
        let verdict = try database.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check(1)")
        }
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
        guard let error = error as? DatabaseError else {
            return NotificationError(
                .storeUnavailable, "The store \(name) could not be \(what): \(error).")
        }
        let code =
            error.resultCode == .SQLITE_FULL ? NotificationError.Code.noSpace : .storeUnavailable
        let reason =
            switch error.resultCode {
            case .SQLITE_FULL:
                "the disk is full. Nothing was changed; free some space and try again."
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
                "it is not writable. Check the permissions of its directory."
            default:
                "\(error.message ?? "SQLite failed") (SQLite \(error.extendedResultCode.rawValue)). "
                    + "Nothing was changed."
            }
        return NotificationError(code, "The store \(name) could not be \(what): \(reason)")
    }
}
