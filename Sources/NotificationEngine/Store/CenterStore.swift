internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel

/// The durable state of one notification centre: what waits, what was delivered, and what was
/// answered and not yet acknowledged.
///
/// The store is the queue: the schedule is two of its indexes and has no copy in memory, so that
/// memory and start do not grow with the number of requests and nothing is rebuilt after a crash.
/// Every change goes through the commit queue; a change that returned is on disk.
final class CenterStore: Sendable {
    let layout: StoreLayout
    let vault: AttachmentVault
    /// Which boot the boot-time column counts in.
    let bootID: String
    private let lock: StoreLock
    private let commits: CommitQueue

    /// Opens or makes the store; `onSchedule` hears of the earliest due rows after each commit.
    init(
        layout: StoreLayout, bootID: String,
        onSchedule: @escaping @Sendable (ScheduleHead) -> Void
    ) throws(NotificationError) {
        self.layout = layout
        self.bootID = bootID
        try StoreDirectory(path: layout.directory).prepare()
        lock = try StoreLock(path: layout.lock)
        vault = try AttachmentVault(directory: layout.attachments)
        let database = try Self.openDatabase(layout)
        commits = CommitQueue(database) { database in
            // Reading an index cannot fail where the commit before it did not; if it does, the
            // next commit reports the head.
            if let head = try? ScheduleHead(database) { onSchedule(head) }
        }
    }

    /// Runs a change in the next group commit.
    func change<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(NotificationError) -> Value {
        do {
            return try await commits.perform(body)
        } catch {
            throw Self.translate(error, what: what, store: layout.database)
        }
    }

    private static func openDatabase(
        _ layout: StoreLayout
    ) throws(NotificationError) -> DatabaseQueue {
        let isNew = access(layout.database, F_OK) != 0
        do {
            return try openMigrated(layout)
        } catch let error as NotificationError {
            throw error
        } catch let error as DatabaseError
            where !isNew
            && [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            try setAside(layout)
        } catch {
            throw translate(error, what: "opened", store: layout.database)
        }
        do {
            return try openMigrated(layout)
        } catch {
            throw translate(error, what: "opened", store: layout.database)
        }
    }

    private static func openMigrated(_ layout: StoreLayout) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tocsin.store"
        let database = try DatabaseQueue(path: layout.database, configuration: configuration)
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA secure_delete = ON;
                    """)
        }
        chmod(layout.database, 0o600)
        let migrator = CenterSchema.migrator
        guard try !database.read({ try migrator.hasBeenSuperseded($0) }) else {
            throw NotificationError(
                .storeUnavailable,
                "The store \(layout.database.quotedForMessage()) was written by a newer version "
                    + "and is left untouched. Install that version again, or move the store away.")
        }
        try migrator.migrate(database)
        return database
    }

    /// Puts a file that is no database out of the way, so that a start never fails on bad data.
    private static func setAside(_ layout: StoreLayout) throws(NotificationError) {
        let damaged = layout.database + ".damaged"
        for suffix in ["", "-wal", "-shm"] {
            let source = layout.database + suffix
            guard access(source, F_OK) == 0 else { continue }
            guard rename(source, damaged + suffix) == 0 else {
                throw NotificationError(
                    .storeUnavailable,
                    "The store \(source.quotedForMessage()) is damaged and cannot be moved away: "
                        + "\(String(cString: strerror(errno))). Move it away by hand.")
            }
        }
        Log.store.error("the store is damaged; kept as \(damaged), a new one is begun")
    }

    private static func translate(
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
