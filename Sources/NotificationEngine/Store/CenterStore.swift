internal import Foundation
internal import GRDB
internal import Logging
import NotificationModel
internal import Reactor

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
final class CenterStore: Sendable {
    let layout: StoreLayout
    let limits: StoreLimits
    let vault: AttachmentVault
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
    /// Damaged rows that were met and are not removed yet.
    let damagedRows = Locked<Set<DamagedRow>>([])
    /// Popups of notifications that are gone, and that the server was not told to close.
    let closing = Locked<[NotificationKey: PresentedPopup]>([:])
    private let commits: CommitQueue

    /// Opens or makes the store.
    ///
    /// `onSchedule` hears of the earliest due rows after each commit, and `onEnd` that nothing can be
    /// stored any more. `isTakenOver` opens a store to copy it.
    init(
        layout: StoreLayout, bootID: String, limits: StoreLimits = StoreLimits(),
        isDurable: Bool = true, bus: String = "", isTakenOver: Bool = false, now: Instant? = nil,
        onEnd: @escaping @Sendable (NotificationError) -> Void = { _ in },
        step: @escaping @Sendable (EngineStep) -> Void = { _ in },
        onSchedule: @escaping @Sendable (ScheduleHead) -> Void
    ) throws(NotificationError) {
        self.layout = layout
        self.bootID = bootID
        self.limits = limits
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
        self.file = file
        self.step = step
        let (storeFile, lock) = (file, lock)
        let hooks = CommitHooks(
            afterCommit: { database in
                // Reading an index cannot fail where the commit before it did not; if it does,
                // the next commit reports the head.
                if let head = try? ScheduleHead(database) { onSchedule(head) }
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

    /// Runs a change in the next group commit.
    func change<Value: Sendable>(
        _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(NotificationError) -> Value {
        do {
            return try await commits.perform(body)
        } catch {
            if (error as? DatabaseError)?.resultCode == .SQLITE_FULL {
                throw reserve.refusal(of: layout.database)
            }
            throw StoreFile.translate(error, what: what, store: layout.database)
        }
    }

    /// Looks whether the files of the store lie in their places, and writes them anew where not.
    func checkPlace(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        guard !file.place.isIntact else { return }
        // Each commit looks before it begins.
        try await change("read") { _ in }
    }

    /// Closes the database and lets another process have the store, after `farewell`.
    func close(_ farewell: () -> Void = {}) {
        do {
            try commits.close { try file.close($0) }
        } catch {
            Log.store.error("the store could not be closed: \(error)")
        }
        farewell()
        lock.release()
    }
}
