internal import Foundation
package import GRDB
internal import Logging
package import NotificationModel
package import Reactor

/// The durable state of one notification centre.
///
/// It owns the directory of a store, with the database, the attachments and the lock. The database
/// holds pending requests, delivered notifications and responses that are not acknowledged.
///
/// - Every change goes through the commit queue; when a change returns, it is on disk.
/// - The schedule is two indexes of the database, without a copy in memory. So memory and start
///   time do not grow with the number of requests, and a crash leaves nothing to rebuild.
/// - Each call runs on its caller's actor, the argument `isolation`. So an actor's calls run and
///   return in the order in which the actor makes them.
///
/// It never decides when a request is due or which popups are restored: `StoreRules` does.
///
/// The upcoming feature `NonisolatedNonsendingByDefault` could replace `isolation`. The package
/// does not use it, because release builds of Swift 6.3.1 then do not return to a custom executor.
package final class CenterStore: Sendable {
    package let layout: StoreLayout
    package let limits: StoreLimits
    let rules: StoreRules
    package let vault: AttachmentVault
    let reserve: StoreReserve
    let marks: ShownMarks
    /// The id of the current boot; each stored boot time has the id of its boot beside it.
    let bootID: String
    /// The language of new summaries of late notifications.
    let language: WordingLanguage
    let step: @Sendable (EngineStep) -> Void
    private let lock: StoreLock
    private let file: StoreFile
    /// When an earlier process last wrote the store, and the last row numbers at that time.
    let lastWritten: Instant
    let lastRows: StoreAdoption.RowLimits
    let lastResponseID: Locked<Int64>
    /// Damaged rows that were found and are not removed yet.
    let damagedRows = Locked<Set<DamagedRow>>([])
    /// Popups of removed notifications that the server was not told to close yet.
    let closing = Locked<[NotificationKey: PresentedPopup]>([:])
    let lastTrim = Locked(Instant(microseconds: 0))
    private let commits: CommitQueue

    /// Opens or makes the store.
    ///
    /// - `onSchedule` gets the due times of the earliest rows after each commit, before the changes
    ///   of that commit return.
    /// - `onEnd` gets the error after which nothing can be stored any more.
    /// - `isTakenOver` is true if another store opens this store in order to copy its rows.
    ///
    /// - Throws: `storeLocked` if another process has the store; `noSpace` if the disk is full;
    ///   `limitReached` if the process may have no further descriptor or thread; `storeUnavailable`
    ///   if the directory or the database cannot be used.
    package init(
        layout: StoreLayout, bootID: String, rules: StoreRules, limits: StoreLimits = StoreLimits(),
        isDurable: Bool = true, bus: String = "", language: WordingLanguage = .english,
        isTakenOver: Bool = false, now: Instant? = nil,
        onEnd: @escaping @Sendable (NotificationError) -> Void = { _ in },
        step: @escaping @Sendable (EngineStep) -> Void = { _ in },
        onSchedule: @escaping @Sendable (ScheduleHead) -> Void
    ) throws(NotificationError) {
        self.layout = layout
        self.bootID = bootID
        self.language = language
        self.limits = limits
        self.rules = rules
        try StoreDirectory(path: layout.directory).prepare()
        lock = try StoreLock(path: layout.lock, bus: bus)
        vault = try AttachmentVault(directory: layout.attachments)
        let reserve = StoreReserve(path: layout.reserve, size: limits.reserve)
        self.reserve = reserve
        var file = StoreFile(layout: layout)
        file.isDurable = isDurable
        file.now = now
        file.step = step
        lastWritten = StoreFile.lastWritten(layout)
        marks = ShownMarks(path: layout.marks)
        if isDurable, !isTakenOver { marks.prepare() }
        let database = try Self.open(file, isTakenOver: isTakenOver, reserve)
        // If these tables are damaged, the first commit repairs them. An adoption then treats no
        // row of this store as older than the rows of the other store.
        lastRows = (try? database.read(StoreAdoption.RowLimits.init)) ?? .init()
        lastResponseID = Locked(isTakenOver ? 0 : Self.reserveResponseIDs(in: database))
        self.file = file
        self.step = step
        let (storeFile, lock) = (file, lock)
        let hooks = CommitHooks(
            report: { database in
                let head = try ScheduleHead(database)
                return { onSchedule(head) }
            },
            makeRoom: { reserve.release() },
            isDiskFull: {
                StoreReserve.isFull(layout.database, after: $0, size: limits.reserve)
            },
            mayTruncateLog: { reserve.isThereRoom() },
            isInPlace: { storeFile.place.isIntact },
            repair: { damaged in try storeFile.rebuild { try damaged.close() } },
            rewrite: { database in
                // The whole directory may be gone.
                try StoreDirectory(path: layout.directory).prepare()
                try StoreDirectory(path: layout.attachments).prepare()
                try lock.renew()
                return try storeFile.rewrite(database)
            },
            ended: { error in
                onEnd(StoreFile.translate(error, what: "repaired", store: layout.database))
            },
            step: step)
        do throws(ReactorError) {
            commits = try CommitQueue(database, isDurable: isDurable, hooks: hooks)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Opens the database; on a full disk, SQLite makes its files in the space of the reserve.
    private static func open(
        _ file: StoreFile, isTakenOver: Bool, _ reserve: StoreReserve
    ) throws(NotificationError) -> DatabaseQueue {
        func open() throws(NotificationError) -> DatabaseQueue {
            try isTakenOver ? file.open() : file.openAsOwner()
        }
        do throws(NotificationError) {
            return try open()
        } catch {
            guard reserve.isDiskFull, reserve.release() else { throw error }
            return try open()
        }
    }

    /// Releases the disk space of the reserve; returns false if it was released before.
    package func releaseReserve() -> Bool { reserve.release() }

    /// Whether new requests are refused because the disk is full.
    ///
    /// - Throws: `storeUnavailable` if the store is closed.
    package func isFull(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        // The check may write to the disk, so it runs on the store's thread.
        try await change("read") { _ in !self.reserve.isThereRoom() }
    }

    /// The number of shown notifications that the database does not have as delivered yet.
    package var unstoredDeliveries: Int { marks.read().count }

    /// Runs a change in the next group commit; a deferred change does not start a commit.
    ///
    /// `what` completes the message of an error: "The store could not be read".
    ///
    /// Only this target and its tests may import GRDB, so no other code can call this method.
    package func change<Value: Sendable>(
        _ what: String, isDeferred: Bool = false, isSynced: Bool = true,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(NotificationError) -> Value {
        do {
            return try await commits.perform(isDeferred: isDeferred, isSynced: isSynced, body)
        } catch {
            if (error as? DatabaseError)?.resultCode == .SQLITE_FULL {
                throw reserve.refusal(of: layout.database)
            }
            throw StoreFile.translate(error, what: what, store: layout.database)
        }
    }

    /// Commits the deferred changes now.
    package func flush() { commits.flush() }

    /// Returns when every change that was submitted before is on disk.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be written.
    package func untilCommitted(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { _ in }
    }

    /// Writes the files of the store again if they are not in their places.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func checkPlace(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        guard !file.place.isIntact else { return }
        // Each commit checks the files before it begins.
        try await untilCommitted()
    }

    /// Closes the database, calls `farewell`, and then lets another process have the store.
    package func close(_ farewell: () -> Void = {}) {
        do {
            try commits.close { try file.close($0) }
        } catch {
            Log.store.error("the store could not be closed: \(error)")
        }
        farewell()
        lock.release()
    }
}

extension NotificationError {
    /// Makes the error of a process that may have no further descriptor or thread.
    package init(_ error: ReactorError) {
        self.init(.limitReached, error.message)
    }
}

/// The store's loggers; the program that hosts the engine decides where they write.
enum Log {
    static let store = Logger(label: "tocsin.store")
}

/// The limits of a store; `Limits` has the numbers, and tests use smaller ones.
package struct StoreLimits: Hashable, Sendable {
    /// The most requests that one app may have pending.
    package var pending = Limits.pending.range.upperBound
    /// The most bytes that the pending requests and the attachments of one app may have.
    package var bytes = Limits.bytesOfApp.range.upperBound
    /// The most bytes that the pending requests and the attachments of all apps may have.
    package var storeBytes = Limits.bytesOfStore.range.upperBound
    /// The most apps about which the store keeps data.
    package var apps = Limits.apps.most
    /// How many requests one app may add at once.
    package var addBurst = Limits.addBurst.most
    /// How many requests one app may add each second after that burst.
    package var addsPerSecond = Limits.addsPerSecond.most
    /// The most delivered notifications that are kept for one app.
    package var delivered: Int
    /// The age up to which a delivered notification or a record is kept, in microseconds.
    package var deliveredAge = Limits.deliveredAge.range.upperBound * 1_000_000
    /// The most records of missed notifications, for all apps.
    package var records = Limits.records.most
    /// The most records of one app, so that one app cannot push out the records of other apps.
    package var recordsOfApp = Limits.recordsOfApp.most
    /// The size of the reserve for a full disk, in bytes.
    ///
    /// The reserve has room for SQLite's write-ahead log; a log of this size reuses its own space.
    package var reserve: Int
    /// The most rows that may be posted to the server but not yet stored as delivered.
    ///
    /// After a crash only these rows may be shown twice. More rows may be "presenting", because
    /// claimed rows may wait for their apps.
    package static let presenting = 64

    package init(delivered: Int = Limits.delivered.most, reserve: Int = 4 << 20) {
        self.delivered = delivered
        self.reserve = reserve
    }
}

/// The engine's decisions that a change of the store needs while the change runs.
package struct StoreRules: Sendable {
    /// Whether the engine can use this request; a damaged row may have numbers out of bounds.
    var accepts: @Sendable (NotificationRequest) -> Bool
    /// When a repeating request is due again after an attempt to show it; nil if no date follows.
    var next: @Sendable (ClaimedRequest, ClockReading) -> DueTime?
    /// When a request is due if its next date is skipped; nil if no date follows.
    var afterSkipping: @Sendable (ClaimedRequest, ClockReading) -> DueTime?
    /// A pending request with its dates computed again; nil if no date changes.
    var moved: @Sendable (ClaimedRequest, ClockReading) -> ClaimedRequest?
    /// Decides which of the popups that a server lost are restored.
    var restoring: @Sendable ([RestorePlan.Lost], Instant) -> RestorePlan

    package init(
        accepts: @escaping @Sendable (NotificationRequest) -> Bool,
        next: @escaping @Sendable (ClaimedRequest, ClockReading) -> DueTime?,
        afterSkipping: @escaping @Sendable (ClaimedRequest, ClockReading) -> DueTime?,
        moved: @escaping @Sendable (ClaimedRequest, ClockReading) -> ClaimedRequest?,
        restoring: @escaping @Sendable ([RestorePlan.Lost], Instant) -> RestorePlan
    ) {
        self.accepts = accepts
        self.next = next
        self.afterSkipping = afterSkipping
        self.moved = moved
        self.restoring = restoring
    }
}
