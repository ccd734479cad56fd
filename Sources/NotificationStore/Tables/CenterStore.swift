internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
package import Reactor

/// The durable state of one notification centre: what waits, what was delivered, and what was
/// answered and not yet acknowledged.
///
/// The store is the queue: the schedule is two of its indexes and has no copy in memory, so that
/// memory and start do not grow with the number of requests and nothing is rebuilt after a crash.
/// Every change goes through the commit queue; a change that returned is on disk.
///
/// Calls run on their caller's actor, which they get as `isolation`, so that they are submitted and
/// answered in its order. (The upcoming feature `NonisolatedNonsendingByDefault` says the same in
/// fewer words; release builds of Swift 6.3.1 then lose the way back to a custom executor.)
package final class CenterStore: Sendable {
    package let layout: StoreLayout
    package let limits: StoreLimits
    let rules: StoreRules
    package let vault: AttachmentVault
    let reserve: StoreReserve
    let marks: ShownMarks
    /// Which boot the boot-time column counts in.
    let bootID: String
    let step: @Sendable (EngineStep) -> Void
    private let lock: StoreLock
    private let file: StoreFile
    /// When an earlier process wrote the store last, and the last rows then.
    let lastWritten: Instant
    let lastRows: StoreAdoption.RowLimits
    /// The number that a response got last.
    let lastResponseID: Locked<Int64>
    /// Damaged rows that were met and are not removed yet.
    let damagedRows = Locked<Set<DamagedRow>>([])
    /// Popups of notifications that are gone, and that the server was not told to close.
    let closing = Locked<[NotificationKey: PresentedPopup]>([:])
    /// When old rows were removed last.
    let lastTrim = Locked(Instant(microseconds: 0))
    private let commits: CommitQueue

    /// Opens or makes the store.
    ///
    /// `onSchedule` hears of the earliest due rows after each commit, before the changes of that
    /// return, and `onEnd` that nothing can be stored any more. `isTakenOver` opens a store to copy it.
    package init(
        layout: StoreLayout, bootID: String, rules: StoreRules, limits: StoreLimits = StoreLimits(),
        isDurable: Bool = true, bus: String = "", isTakenOver: Bool = false, now: Instant? = nil,
        onEnd: @escaping @Sendable (NotificationError) -> Void = { _ in },
        step: @escaping @Sendable (EngineStep) -> Void = { _ in },
        onSchedule: @escaping @Sendable (ScheduleHead) -> Void
    ) throws(NotificationError) {
        self.layout = layout
        self.bootID = bootID
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
        // The first commit repairs a damaged table; until then no row counts as older.
        lastRows = (try? database.read(StoreAdoption.RowLimits.init)) ?? .init()
        lastResponseID = Locked(Self.lastResponseID(in: database))
        self.file = file
        self.step = step
        let (storeFile, lock) = (file, lock)
        let hooks = CommitHooks(
            report: { database in
                let head = try ScheduleHead(database)
                return { onSchedule(head) }
            },
            makeRoom: { reserve.release() },
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
            commits = try CommitQueue(database, hooks: hooks)
        } catch {
            throw NotificationError(error)
        }
    }

    /// SQLite makes files when it opens a store: on a full disk in the space that is kept.
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

    /// Runs a change in the next group commit; a deferred change causes none.
    func change<Value: Sendable>(
        _ what: String, isDeferred: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(NotificationError) -> Value {
        do {
            return try await commits.perform(isDeferred: isDeferred, body)
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
    package func untilCommitted(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("read") { _ in }
    }

    /// Looks whether the files of the store lie in their places, and writes them anew where not.
    package func checkPlace(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        guard !file.place.isIntact else { return }
        // Each commit looks before it begins.
        try await untilCommitted()
    }

    /// Closes the database and lets another process have the store, after `farewell`.
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
    /// The error where this process may have no further descriptor or thread.
    package init(_ error: ReactorError) {
        self.init(.limitReached, error.message)
    }
}

/// The store's loggers; where they write is decided by the program that hosts the engine.
enum Log {
    /// The store and its attachments.
    static let store = Logger(label: "tocsin.store")
}

/// How much a store keeps; `Limits` has the numbers, and tests use smaller ones.
package struct StoreLimits: Hashable, Sendable {
    /// The most requests that one app may have waiting.
    package var pending = Limits.pending.range.upperBound
    /// The most bytes that the waiting requests and the attachments of one app may have.
    package var bytes = Limits.bytesOfApp.range.upperBound
    /// The most bytes that those of all apps may have.
    package var storeBytes = Limits.bytesOfStore.range.upperBound
    /// The most apps of which anything is kept.
    package var apps = Limits.apps.most
    /// How many requests one app may add at once.
    package var addBurst = Limits.addBurst.most
    /// How many it may add each second after that.
    package var addsPerSecond = Limits.addsPerSecond.most
    /// The most delivered notifications that are kept for one app.
    package var delivered: Int
    /// How long a delivered notification is kept, and a record, in microseconds.
    package var deliveredAge = Limits.deliveredAge.range.upperBound * 1_000_000
    /// The most records of what came to nothing, of all apps.
    package var records = Limits.records.most
    /// The most of them of one app, so that none pushes out those of the others.
    package var recordsOfApp = Limits.recordsOfApp.most
    /// What is kept free for a full disk, in bytes: once around SQLite's write-ahead log, after
    /// which the log reuses its own space.
    package var reserve: Int
    /// The most rows that are "presenting" at a time: after a crash only these may be shown twice.
    package static let presenting = 64

    /// Makes the limits of a person's store, or those of a test.
    package init(delivered: Int = Limits.delivered.most, reserve: Int = 4 << 20) {
        self.delivered = delivered
        self.reserve = reserve
    }
}

/// The engine's pure decisions that a change of the store needs while it runs.
package struct StoreRules: Sendable {
    /// Whether a request may be what a row says: nothing computes with numbers out of bounds.
    var accepts: @Sendable (NotificationRequest) -> Bool
    /// When a repeating request that was shown at its due time is due again.
    var next: @Sendable (ClaimedRequest, ClockReading) -> DueTime?
    /// When it is due if its next date is passed over; nil where none comes after that.
    var afterSkipping: @Sendable (ClaimedRequest, ClockReading) -> DueTime?
    /// A waiting request with its dates computed again; nil where they stay.
    var moved: @Sendable (ClaimedRequest, ClockReading) -> ClaimedRequest?
    /// Which popups that a server lost come back.
    var restoring: @Sendable ([RestorePlan.Lost], Instant) -> RestorePlan

    /// Makes the rules.
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
