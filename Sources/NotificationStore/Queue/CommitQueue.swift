internal import Dispatch
internal import GRDB
internal import Logging
internal import Reactor

/// Runs changes of the database in groups: whatever collects while one commit is on its way to the
/// disk goes into the next, so that one flush serves many changes.
///
/// Changes run in the order of their submission, on a thread of the queue's own: one of
/// libdispatch's pool would keep an idle process from sleeping. One that fails leaves the
/// others of its group alone: the group is rolled back, and runs again with a savepoint for each. A
/// change is reported as done only after the commit of its group, and the reports keep the order.
final class CommitQueue: Sendable {
    private struct Change: Sendable {
        /// Runs in the group's transaction, in a savepoint or not; may run again if that was
        /// rolled back.
        let run: @Sendable (Database, Bool) -> Attempt
        /// Reports that nothing was changed.
        let refuse: @Sendable (any Error) -> Void
    }

    private struct Attempt {
        var error: (any Error)?
        /// Reports the result, success or not; to be called after the commit.
        var report: () -> Void
    }

    private struct State {
        var database: DatabaseQueue
        /// A change leaves this list in the moment in which its caller gets the result: nothing
        /// else ends a change, so no caller gets two.
        var waiting: [Change] = []
        var isRunning = false
        var retry = CommitRetry()
        /// Whether something was written since the look of `truncateLog` before.
        var isLogInUse = false
        var isTruncationDue = false
        /// Why nothing is stored any more.
        var end: (any Error)?
    }

    /// Why a series of commits stopped before all changes were done.
    private enum Interruption {
        case damaged
        case displaced
        case ended(any Error)
    }

    /// How long nothing is written before the log gives its space back.
    private let idleTime: Duration
    private let hooks: CommitHooks
    private let state: Locked<State>
    private let thread: Reactor

    init(
        _ database: DatabaseQueue, hooks: CommitHooks, idleTime: Duration = .seconds(5)
    ) throws(ReactorError) {
        thread = try Reactor(name: "tocsin.store")
        self.hooks = hooks
        self.idleTime = idleTime
        state = Locked(State(database: database))
    }

    deinit {
        thread.stop()
    }

    /// Runs a change and returns what it returned, once it is on disk.
    ///
    /// A deferred change goes into the group of the next one, or of the next `flush`.
    func perform<Value: Sendable>(
        isDeferred: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Result<Value, any Error>>()
        submit(
            Change(
                run: { database, inSavepoint in
                    let result =
                        inSavepoint
                        ? Self.inSavepoint(of: database, change) : Result { try change(database) }
                    var attempt = Attempt { promise.give(result) }
                    if case .failure(let error) = result { attempt.error = error }
                    return attempt
                },
                refuse: { promise.give(.failure($0)) }), isDeferred: isDeferred)
        return try await promise.value().get()
    }

    /// Does what was submitted, and closes the database; later changes fail.
    func close(_ close: (DatabaseQueue) throws -> Void) throws {
        flush()
        let isDone = DispatchSemaphore(value: 0)
        thread.perform { isDone.signal() }
        isDone.wait()
        thread.stop()
        // SQLite removes the log as it closes: nobody may take that for a loss.
        state.withLock {
            $0.end = DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed")
        }
        try close(state.withLock { $0.database })
    }

    private static func inSavepoint<Value>(
        of database: Database, _ change: (Database) throws -> Value
    ) -> Result<Value, any Error> {
        Result {
            var value: Value?
            try database.inSavepoint {
                value = try change(database)
                return .commit
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return value
        }
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

    /// Begins with what waits, deferred changes included.
    func flush() {
        let isFirst = state.withLock { state in
            guard !state.isRunning, !state.waiting.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        if isFirst { thread.perform { self.drain() } }
    }

    /// Commits group after group until nothing waits; exchanges the database where it has to be.
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
                // Another process may be able to open the store.
                refuseAll(error)
                return hooks.ended(error)
            }
        }
    }

    /// Refuses the waiting changes and all later ones.
    private func refuseAll(_ error: any Error) {
        let refused = state.withLock { state in
            state.end = error
            state.isRunning = false
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
                let decision = state.withLock { $0.retry.displaced() }
                return decision == .end ? .ended(Self.removedAgain) : .displaced
            }
            hooks.step(.collected)
            if let interruption = commit(group, in: database) { return interruption }
        }
    }

    /// The changes of the next commit, which stay in the list until it is done; none after the end.
    private func nextGroup() -> [Change] {
        state.withLock { state in
            guard state.end == nil else { return [] }
            let size = state.retry.groupSize(of: state.waiting.count)
            state.isRunning = size > 0
            return Array(state.waiting.prefix(size))
        }
    }

    /// Takes the changes of a commit from the list: their callers get their results now.
    private func finish(_ count: Int) {
        state.withLock { state in
            state.waiting.removeFirst(count)
            state.retry.finished(count)
        }
    }

    /// Commits a group and reports, or does what `CommitRetry` decides.
    private func commit(_ group: [Change], in database: Database) -> Interruption? {
        let changes = database.totalChangesCount
        do {
            let attempts =
                try attempt(group, inSavepoints: false, in: database)
                ?? attempt(group, inSavepoints: true, in: database) ?? []
            hooks.step(.committed)
            finish(group.count)
            if database.totalChangesCount != changes { noteWriting() }
            for attempt in attempts { attempt.report() }
            return nil
        } catch {
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

    private func decide(_ error: any Error, size: Int) -> CommitRetry.Decision {
        let failure = Self.kind(of: error)
        let decision = state.withLock { $0.retry.failed(failure, size: size) }
        guard decision == .makeRoom else { return decision }
        let isFreed = hooks.makeRoom()
        return state.withLock { $0.retry.madeRoom(isFreed, size: size) }
    }

    private static let removedAgain = DatabaseError(
        resultCode: .SQLITE_IOERR,
        message: "another program removes or replaces its files again and again")

    private static func kind(of error: any Error) -> CommitRetry.Failure {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: .damaged
        case .SQLITE_FULL?: .diskFull
        case .SQLITE_NOMEM?: .outOfMemory
        default: .other
        }
    }

    /// Runs and commits a group; nil where a change failed without a savepoint, and nothing was
    /// done.
    private func attempt(
        _ group: [Change], inSavepoints: Bool, in database: Database
    ) throws -> [Attempt]? {
        var attempts: [Attempt]? = []
        try Self.inCommit(of: database) {
            for change in group {
                let attempt = change.run(database, inSavepoints)
                if let error = attempt.error {
                    // A full or failing disk may end the whole transaction, and not the savepoint
                    // alone (sqlite.org/lang_transaction.html, "Response To Errors"); what follows
                    // would then be committed by itself.
                    if Self.concernsAll(error, in: database) { throw error }
                    if !inSavepoints {
                        attempts = nil
                        return .rollback
                    }
                }
                attempts?.append(attempt)
            }
            attempts?.insert(Attempt(report: try hooks.report(database)), at: 0)
            hooks.step(.changed)
            return .commit
        }
        return attempts
    }

    /// Commits, or leaves nothing of the changes in the log.
    ///
    /// A commit that was written and could not be synced is whole for the next process, which would
    /// do what was refused here. So another commit overwrites it.
    private static func inCommit(
        of database: Database, _ body: () throws -> Database.TransactionCompletion
    ) throws {
        do {
            try database.inTransaction(.immediate, body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            do {
                try database.execute(sql: "PRAGMA user_version = 0")
            } catch {
                Log.store.error("what was refused may be stored: \(error)")
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

// MARK: - The log

extension CommitQueue {
    /// Texts that were deleted lie in the log until it is merged into the database and cut off.
    private func noteWriting() {
        let isDue = state.withLock { state in
            state.isLogInUse = true
            defer { state.isTruncationDue = true }
            return state.isTruncationDue
        }
        if !isDue { thread.deadline(after: idleTime) { [weak self] in self?.truncateLog() } }
    }

    /// Cuts the log off once nothing is written; wakes up nobody after that.
    private func truncateLog() {
        let (database, wasInUse) = state.withLock { state in
            defer { state.isLogInUse = false }
            return (state.database, state.isLogInUse)
        }
        if wasInUse || !hooks.isInPlace() || !hooks.mayTruncateLog() {
            guard wasInUse else { return state.withLock { $0.isTruncationDue = false } }
            thread.deadline(after: idleTime) { [weak self] in self?.truncateLog() }
            return
        }
        state.withLock { $0.isTruncationDue = false }
        do {
            try database.writeWithoutTransaction { database in
                // The database is closed after the end.
                guard state.withLock({ $0.end == nil }) else { return }
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            // A reader has the log open, or the disk fails: the next commit says so.
            Log.store.debug("the log was not cut off: \(error)")
        }
    }
}

/// What the commit queue asks of the store that owns it; all on the store's thread.
struct CommitHooks: Sendable {
    /// Reads at the end of each transaction what is reported first after its commit.
    var report: @Sendable (Database) throws -> () -> Void = { _ in {} }
    /// Frees what is kept for a full disk; false where there is nothing to free.
    var makeRoom: @Sendable () -> Bool = { false }
    /// Whether the log may give its space back: on a full disk it would not get it again.
    var mayTruncateLog: @Sendable () -> Bool = { true }
    /// Whether the files still lie where a next process looks for them.
    var isInPlace: @Sendable () -> Bool = { true }
    /// Closes a damaged database and opens another with what can be read of it.
    var repair: @Sendable (DatabaseQueue) throws -> DatabaseQueue
    /// Writes a database whose files were removed or replaced anew, and opens that.
    var rewrite: @Sendable (DatabaseQueue) throws -> DatabaseQueue
    /// Hears that nothing can be stored any more, and why.
    var ended: @Sendable (any Error) -> Void = { _ in }
    /// Tells a test how far the work has come.
    var step: @Sendable (EngineStep) -> Void = { _ in }
}
