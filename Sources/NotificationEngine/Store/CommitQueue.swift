internal import Dispatch
internal import GRDB
internal import Reactor
internal import Synchronization

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
        var waiting: [Change] = []
        var isRunning = false
        var hasRepaired = false
    }

    private static let groupLimit = 1_024

    private let hooks: CommitHooks
    private let state: Mutex<State>
    private let thread = Reactor(name: "tocsin.store")

    init(_ database: DatabaseQueue, hooks: CommitHooks) {
        self.hooks = hooks
        state = Mutex(State(database: database))
    }

    deinit {
        thread.stop()
    }

    /// Runs a change and returns what it returned, once it is on disk.
    func perform<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                Change(
                    run: { database, inSavepoint in
                        let result =
                            inSavepoint
                            ? Self.inSavepoint(of: database, change)
                            : Result { try change(database) }
                        var attempt = Attempt { continuation.resume(with: result) }
                        if case .failure(let error) = result { attempt.error = error }
                        return attempt
                    },
                    refuse: { continuation.resume(throwing: $0) }))
        }
    }

    /// Does what was submitted, and closes the database; later changes fail.
    func close() throws {
        let isDone = DispatchSemaphore(value: 0)
        thread.perform { isDone.signal() }
        isDone.wait()
        thread.stop()
        try state.withLock { $0.database }.close()
    }

    private static func inSavepoint<Value>(
        of database: Database, _ change: (Database) throws -> Value
    ) -> Result<Value, any Error> {
        var result: Result<Value, any Error> = .failure(DatabaseError(resultCode: .SQLITE_ABORT))
        do {
            try database.inSavepoint {
                result = .success(try change(database))
                return .commit
            }
        } catch {
            result = .failure(error)
        }
        return result
    }
}

// MARK: - Groups

extension CommitQueue {
    private func submit(_ change: Change) {
        let isFirst = state.withLock { state in
            state.waiting.append(change)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { thread.perform { self.drain() } }
    }

    /// Commits group after group, until nothing waits.
    private func drain() {
        let queue = state.withLock { $0.database }
        let damaged = queue.writeWithoutTransaction { database -> [Change]? in
            while true {
                let group = nextGroup()
                if group.isEmpty { return nil }
                hooks.step(.collected)
                guard commit(group, in: database) else { return group }
            }
        }
        if let damaged { repair(queue, before: damaged) }
    }

    private func nextGroup() -> [Change] {
        state.withLock { state in
            let group = Array(state.waiting.prefix(Self.groupLimit))
            state.waiting.removeFirst(group.count)
            state.isRunning = !group.isEmpty
            return group
        }
    }

    /// Commits a group and reports; false where the database turned out to be damaged, and nothing
    /// was reported.
    private func commit(_ group: [Change], in database: Database) -> Bool {
        do {
            let attempts =
                try attempt(group, inSavepoints: false, in: database)
                ?? attempt(group, inSavepoints: true, in: database) ?? []
            hooks.step(.committed)
            // Who waits goes on before the engine looks for what to do next.
            for attempt in attempts { attempt.report() }
            hooks.afterCommit(database)
            return true
        } catch {
            let code = (error as? DatabaseError)?.resultCode
            if let code, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(code), mayRepair() {
                return false
            }
            if code == .SQLITE_FULL, hooks.makeRoom() {
                return commit(group, in: database)
            }
            guard group.count > 1, code == .SQLITE_FULL || code == .SQLITE_NOMEM else {
                for change in group { change.refuse(error) }
                return true
            }
            // What one large change lacks may be enough for the others.
            return group.allSatisfy { commit([$0], in: database) }
        }
    }

    /// Runs and commits a group; nil where a change failed without a savepoint, and nothing was
    /// done.
    private func attempt(
        _ group: [Change], inSavepoints: Bool, in database: Database
    ) throws -> [Attempt]? {
        var attempts: [Attempt]? = []
        try database.inTransaction(.immediate) {
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
            hooks.step(.changed)
            return .commit
        }
        return attempts
    }

    private static func concernsAll(_ error: any Error, in database: Database) -> Bool {
        guard database.isInsideTransaction else { return true }
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_FULL, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(code)
    }
}

// MARK: - Damage

extension CommitQueue {
    /// Once in the life of a process: a medium that damages the new file as well is no place for a
    /// store, and each repair would cost rows.
    private func mayRepair() -> Bool {
        state.withLock { state in
            defer { state.hasRepaired = true }
            return !state.hasRepaired
        }
    }

    /// Exchanges the damaged database for a new one with what could be read, and goes on.
    private func repair(_ damaged: DatabaseQueue, before group: [Change]) {
        state.withLock { $0.waiting.insert(contentsOf: group, at: 0) }
        do {
            try damaged.close()
            let repaired = try hooks.repair()
            state.withLock { $0.database = repaired }
            drain()
        } catch {
            let refused = state.withLock { state in
                defer { state.waiting = [] }
                state.isRunning = false
                return state.waiting
            }
            for change in refused { change.refuse(error) }
        }
    }
}
