internal import Dispatch
internal import GRDB
internal import Logging
internal import NotificationModel
internal import Reactor

/// Runs changes of the database in groups, so that one flush to the disk serves many changes.
///
/// It owns the connection, the waiting changes and one thread. It does not use libdispatch's pool,
/// which would keep an idle process from sleeping.
///
/// - Changes that arrive during a commit form the next group.
/// - Changes run in the order of their submission. After the commit of a group, the queue reports
///   each change of the group once, in the same order.
/// - If a change fails, its group is rolled back and runs again with savepoints. So the other
///   changes of the group are stored.
final class CommitQueue: Sendable {
    private struct Change: Sendable {
        /// Runs in the group's transaction; runs again after a rollback.
        ///
        /// The closure that it returns reports the success; call it after the commit.
        let run: @Sendable (Database) throws -> () -> Void
        /// Reports that nothing was changed.
        let refuse: @Sendable (any Error) -> Void
        /// Whether the change must be synced before its report; a power cut then cannot undo it.
        let isSynced: Bool
    }

    private struct State {
        var database: DatabaseQueue
        /// Whether commits now sync the write-ahead log; nil if the store is not durable.
        var isSyncing: Bool?
        /// A change is removed from this list when its caller gets the result, so no caller gets
        /// two results.
        var waiting: [Change] = []
        var isRunning = false
        var retry = CommitRetry()
        /// Whether anything was written since the previous run of `truncateLog`.
        var isLogInUse = false
        var isTruncationDue = false
        /// The error after which nothing is stored any more; nil while the store works.
        var end: (any Error)?
    }

    /// The reason why a series of commits stopped before all changes were done.
    private enum Interruption {
        case damaged
        case displaced
        case ended(any Error)
    }

    /// The time without a write after which the log is truncated.
    private let idleTime: Duration
    private let hooks: CommitHooks
    private let state: Locked<State>
    private let thread: Reactor

    init(
        _ database: DatabaseQueue, isDurable: Bool = true, hooks: CommitHooks,
        idleTime: Duration = .seconds(5)
    ) throws(ReactorError) {
        thread = try Reactor(name: "tocsin.store")
        self.hooks = hooks
        self.idleTime = idleTime
        state = Locked(State(database: database, isSyncing: isDurable ? true : nil))
    }

    deinit {
        thread.stop()
    }

    /// Runs a change and returns its result when the change is on disk.
    ///
    /// A deferred change joins the group of the next change, or of the next `flush`. A power cut
    /// may undo a change that is not synced, until a later change is synced.
    func perform<Value: Sendable>(
        isDeferred: Bool = false, isSynced: Bool = true,
        isolation: isolated (any Actor)? = #isolation,
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Result<Value, any Error>>()
        submit(
            Change(
                run: { database in
                    let value = try change(database)
                    return { promise.fulfill(.success(value)) }
                },
                refuse: { promise.fulfill(.failure($0)) }, isSynced: isSynced),
            isDeferred: isDeferred)
        return try await promise.value().get()
    }

    /// Runs the submitted changes and closes the database; later changes fail.
    func close(_ close: (DatabaseQueue) throws -> Void) throws {
        flush()
        let isDone = DispatchSemaphore(value: 0)
        thread.perform { isDone.signal() }
        isDone.wait()
        thread.stop()
        // SQLite removes the log when it closes the database. Set `end` first, so that the missing
        // log does not look like damage.
        state.withLock {
            $0.end = DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed")
        }
        try close(state.withLock { $0.database })
    }

    private static func inSavepoint<Value>(
        of database: Database, _ change: (Database) throws -> Value
    ) throws -> Value {
        var value: Value?
        try database.inSavepoint {
            value = try change(database)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }
}

// MARK: - Groups

extension CommitQueue {
    private func submit(_ change: Change, isDeferred: Bool) {
        let end = state.withLock { state in
            if state.end == nil { state.waiting.append(change) }
            return state.end
        }
        if let end { return change.refuse(end) }
        if !isDeferred { flush() }
    }

    /// Starts to commit the waiting changes, including deferred ones.
    func flush() {
        let isFirst = state.withLock { state in
            guard !state.isRunning, !state.waiting.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        if isFirst { thread.perform { self.drain() } }
    }

    /// Commits group after group until no change waits; replaces the database if necessary.
    private func drain() {
        while true {
            let database = state.withLock { $0.database }
            let interruption = database.writeWithoutTransaction { commitAll(in: $0) }
            if let end = state.withLock({ $0.end }) { return refuseAll(end) }
            guard let interruption else { return }
            do {
                let replacement =
                    switch interruption {
                    case .damaged: try hooks.repair(database)
                    case .displaced: try hooks.rewrite(database)
                    case .ended(let error): throw error
                    }
                state.withLock { $0.database = replacement }
            } catch {
                if case .displaced = interruption, Self.isDiskFull(error) {
                    // Only the open database has the rows, so keep it until there is space.
                    if hooks.makeRoom() { continue }
                    return refuseAll(error, isFinal: false)
                }
                // Give up in this process: another process may be able to open the store.
                refuseAll(error)
                return hooks.ended(error)
            }
        }
    }

    /// Refuses the waiting changes and, if `isFinal` is true, all later ones.
    private func refuseAll(_ error: any Error, isFinal: Bool = true) {
        let refused = state.withLock { state in
            if isFinal { state.end = error }
            state.isRunning = false
            state.retry.commitFinished(state.waiting.count)
            defer { state.waiting = [] }
            return state.waiting
        }
        for change in refused { change.refuse(error) }
    }

    private func commitAll(in database: Database) -> Interruption? {
        while true {
            let group = nextGroup()
            if group.isEmpty { return nil }
            guard hooks.isInPlace() else {
                let decision = state.withLock { $0.retry.filesDisplaced() }
                return decision == .end ? .ended(Self.removedAgain) : .displaced
            }
            hooks.step(.collected)
            if let interruption = commit(group, in: database) { return interruption }
        }
    }

    /// Copies the changes of the next commit from `waiting`; returns no changes if `end` is set.
    private func nextGroup() -> [Change] {
        state.withLock { state in
            guard state.end == nil else { return [] }
            let size = state.retry.groupSize(of: state.waiting.count)
            state.isRunning = size > 0
            return Array(state.waiting.prefix(size))
        }
    }

    /// Removes the changes of a commit from `waiting`, because their callers get results now.
    private func finish(_ count: Int) {
        state.withLock { state in
            state.waiting.removeFirst(count)
            state.retry.commitFinished(count)
        }
    }

    /// Commits a group and reports the results; on failure it does what `CommitRetry` decides.
    private func commit(_ group: [Change], in database: Database) -> Interruption? {
        let changes = database.totalChangesCount
        do {
            try sync(group.contains(where: \.isSynced), in: database)
            let reports =
                try attempt(group, inSavepoints: false, in: database)
                ?? attempt(group, inSavepoints: true, in: database) ?? []
            hooks.step(.committed)
            finish(group.count)
            if database.totalChangesCount != changes { noteWriting() }
            for report in reports { report() }
            return nil
        } catch {
            let error = withFullDiskNamed(error)
            switch decide(error, size: group.count) {
            case .makeRoom, .again: return nil
            case .repair: return .damaged
            case .rewrite: return .displaced
            case .end: return .ended(error)
            case .refuse:
                finish(group.count)
                for change in group { change.refuse(error) }
                return nil
            }
        }
    }

    /// Sets whether the next commit syncs the log; the sync includes all earlier commits.
    private func sync(_ isSyncing: Bool, in database: Database) throws {
        guard state.withLock({ $0.isSyncing }) == !isSyncing else { return }
        try database.execute(sql: "PRAGMA synchronous = \(isSyncing ? "FULL" : "NORMAL")")
        state.withLock { $0.isSyncing = isSyncing }
    }

    private func decide(_ error: any Error, size: Int) -> CommitRetry.Decision {
        let failure = Self.kind(of: error)
        let decision = state.withLock { $0.retry.commitFailed(failure, size: size) }
        guard decision == .makeRoom else { return decision }
        return hooks.makeRoom() ? .again : decide(error, size: size)
    }

    /// Returns SQLite's error for a full disk if a full disk caused `error`; otherwise `error`.
    private func withFullDiskNamed(_ error: any Error) -> any Error {
        guard let failure = error as? DatabaseError, hooks.isDiskFull(failure) else { return error }
        return DatabaseError(resultCode: .SQLITE_FULL, message: failure.message)
    }

    private static let removedAgain = DatabaseError(
        resultCode: .SQLITE_IOERR,
        message: "another program removes or replaces its files again and again")

    private static func isDiskFull(_ error: any Error) -> Bool {
        (error as? NotificationError)?.code == .noSpace
    }

    private static func kind(of error: any Error) -> CommitRetry.Failure {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: .damaged
        case .SQLITE_FULL?: .diskFull
        case .SQLITE_NOMEM?: .outOfMemory
        default: .other
        }
    }

    /// Runs and commits a group; returns the closures that report the results.
    ///
    /// Returns nil if a change failed without a savepoint and the group was rolled back.
    private func attempt(
        _ group: [Change], inSavepoints: Bool, in database: Database
    ) throws -> [() -> Void]? {
        var reports: [() -> Void]? = []
        try Self.inCommit(of: database) {
            for change in group {
                do {
                    reports?.append(
                        try inSavepoints
                            ? Self.inSavepoint(of: database, change.run) : change.run(database))
                } catch {
                    // A full or failing disk may end the whole transaction, not only the savepoint
                    // (sqlite.org/lang_transaction.html, "Response To Errors"). The changes that
                    // follow would then be committed separately.
                    if Self.concernsAll(error, in: database) { throw error }
                    guard inSavepoints else {
                        reports = nil
                        return .rollback
                    }
                    reports?.append { change.refuse(error) }
                }
            }
            reports?.insert(try hooks.report(database), at: 0)
            hooks.step(.changed)
            return .commit
        }
        return reports
    }

    /// Commits; after an I/O error, a second commit overwrites the changes in the write-ahead log.
    ///
    /// A commit that was written but not synced is valid for the next process. Without the second
    /// commit, that process would apply changes that were refused here.
    private static func inCommit(
        of database: Database, _ body: () throws -> Database.TransactionCompletion
    ) throws {
        do {
            try database.inTransaction(.immediate, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            do {
                try database.execute(sql: "PRAGMA user_version = 0")
            } catch {
                Log.store.error("refused changes may be stored: \(error)")
            }
            throw error
        }
    }

    private static func concernsAll(_ error: any Error, in database: Database) -> Bool {
        guard database.isInsideTransaction else { return true }
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_FULL, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(code)
    }
}

// MARK: - The write-ahead log

extension CommitQueue {
    /// Schedules `truncateLog`, because the log may hold texts that were deleted.
    private func noteWriting() {
        let isDue = state.withLock { state in
            state.isLogInUse = true
            defer { state.isTruncationDue = true }
            return state.isTruncationDue
        }
        if !isDue { thread.deadline(after: idleTime) { [weak self] in self?.truncateLog() } }
    }

    /// Truncates the log if nothing was written since the previous run; otherwise runs again later.
    ///
    /// If the log must not be truncated now, the next write schedules another run.
    private func truncateLog() {
        let (database, wasInUse) = state.withLock { state in
            defer { state.isLogInUse = false }
            return (state.database, state.isLogInUse)
        }
        guard !wasInUse else {
            thread.deadline(after: idleTime) { [weak self] in self?.truncateLog() }
            return
        }
        state.withLock { $0.isTruncationDue = false }
        guard hooks.isInPlace(), hooks.mayTruncateLog() else { return }
        do {
            try database.writeWithoutTransaction { database in
                // If `end` is set, the database may be closed.
                guard state.withLock({ $0.end == nil }) else { return }
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            // Another process reads the log, or the disk fails and the next commit reports that.
            Log.store.debug("the log was not truncated: \(error)")
        }
    }
}

/// The functions of a store that its commit queue calls, all on the store's thread.
struct CommitHooks: Sendable {
    /// Runs at the end of each transaction; the closure that it returns runs after the commit.
    var report: @Sendable (Database) throws -> () -> Void = { _ in {} }
    /// Frees the reserve for a full disk; returns false if there is nothing to free.
    var makeRoom: @Sendable () -> Bool = { false }
    /// Whether a full disk or a used-up quota caused the error, even if its code says otherwise.
    var isDiskFull: @Sendable (DatabaseError) -> Bool = { _ in false }
    /// Whether the log may be truncated; on a full disk, the next commit needs the log's space.
    var mayTruncateLog: @Sendable () -> Bool = { true }
    /// Whether the files are still where the next process looks for them.
    var isInPlace: @Sendable () -> Bool = { true }
    /// Closes a damaged database and opens a new one with all rows that can be read.
    var repair: @Sendable (DatabaseQueue) throws -> DatabaseQueue
    /// Writes the files of a database again after they were removed or replaced, and opens them.
    ///
    /// If it throws `noSpace`, the database is still open.
    var rewrite: @Sendable (DatabaseQueue) throws -> DatabaseQueue
    /// Called with the reason when nothing can be stored any more.
    var ended: @Sendable (any Error) -> Void = { _ in }
    /// Tells a test which step was reached.
    var step: @Sendable (EngineStep) -> Void = { _ in }
}
