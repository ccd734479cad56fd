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

    /// Opens or makes the database; one that is damaged is put aside, and what can be read of it
    /// goes into a new one, so that a start never fails on bad data.
    func open() throws(NotificationError) -> DatabaseQueue {
        do {
            return try openMigrated()
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return try rebuild()
        } catch {
            throw Self.translate(error, what: "opened", store: layout.database)
        }
    }

    /// Puts the database aside and fills a new one with the rows that can be read.
    func rebuild() throws(NotificationError) -> DatabaseQueue {
        try setAside()
        do {
            let database = try openMigrated()
            let rescue = StoreRescue(source: layout.damaged)
            try database.writeWithoutTransaction { try rescue.run(into: $0) }
            return database
        } catch {
            throw Self.translate(error, what: "rebuilt", store: layout.database)
        }
    }

    private func openMigrated() throws -> DatabaseQueue {
        try makePrivateFile()
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
        let database = try DatabaseQueue(path: layout.database, configuration: configuration)
        let migrator = CenterSchema.migrator
        guard try !database.read({ try migrator.hasBeenSuperseded($0) }) else {
            throw NotificationError(
                .storeUnavailable,
                "The store \(layout.database.quotedForMessage()) was written by a newer version "
                    + "and is left untouched. Install that version again, or move the store away.")
        }
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
        return database
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
        close(file)
    }

    /// A flipped bit in the text of the schema may leave a text that SQLite accepts, and every later
    /// statement fails: a checksum of it is kept as the file's application id.
    func checkSchema(_ database: Database) throws {
        let texts = try String.fetchAll(
            database,
            sql: """
                SELECT coalesce(type || name || tbl_name || sql, '') FROM sqlite_master ORDER BY name
                """)
        let sum = RowChecksum.of(payload: Data(texts.joined(separator: "\n").utf8))
        let wanted = Int32(truncatingIfNeeded: sum) | 1
        let stored = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        if stored == 0 {
            try database.execute(sql: "PRAGMA application_id = \(wanted)")
        } else if stored != wanted {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the schema was changed")
        }
    }

    /// Damage that SQLite would meet only later, or never: an index that disagrees with its table
    /// would let a request be forgotten.
    private func checkOrder(_ database: DatabaseQueue) throws {
        var status = stat()
        guard stat(layout.database, &status) == 0, status.st_size <= Self.checkedSize else {
            return
        }
        let verdict = try database.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check(1)")
        }
        guard verdict == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
    }

    private func setAside() throws(NotificationError) {
        for suffix in ["", "-wal", "-shm"] {
            let source = layout.database + suffix
            unlink(layout.damaged + suffix)
            guard access(source, F_OK) == 0 else { continue }
            guard rename(source, layout.damaged + suffix) == 0 else {
                throw NotificationError(
                    .storeUnavailable,
                    "The store \(source.quotedForMessage()) is damaged and cannot be moved away: "
                        + "\(String(cString: strerror(errno))). Move it away by hand.")
            }
        }
        Log.store.error("the store is damaged; it is kept as \(layout.damaged)")
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
        switch error.resultCode {
        case .SQLITE_FULL:
            return NotificationError(
                .noSpace,
                "The store \(name) could not be \(what): the disk is full. Nothing was changed; "
                    + "free some space and try again.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            return NotificationError(
                .storeUnavailable,
                "The store \(name) could not be \(what): it is not writable. Check the "
                    + "permissions of its directory.")
        default:
            return NotificationError(
                .storeUnavailable,
                "The store \(name) could not be \(what): \(error.message ?? "SQLite failed") "
                    + "(SQLite \(error.extendedResultCode.rawValue)). Nothing was changed.")
        }
    }
}
