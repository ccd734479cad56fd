internal import GRDB
internal import Synchronization

/// Runs changes of the database in groups: whatever collects while one commit is on its way to the
/// disk goes into the next, so that one flush serves many changes.
///
/// Changes run in the order of their submission, on SQLite's own queue, each in a savepoint of its
/// own: one that fails leaves the others of its group alone. A change is reported as done only
/// after the commit of its group.
final class CommitQueue: Sendable {
    private struct Change: Sendable {
        /// Runs in the group's transaction, and says how to report once the commit is known.
        let run: @Sendable (Database) -> Report
        /// Reports that the transaction could not even begin.
        let refuse: @Sendable (any Error) -> Void
    }

    private typealias Report = (_ commitError: (any Error)?) -> Void

    private struct State {
        var waiting: [Change] = []
        var isRunning = false
    }

    private static let groupLimit = 1_024

    private let database: DatabaseQueue
    private let afterCommit: @Sendable (Database) -> Void
    private let state = Mutex(State())

    /// `afterCommit` runs after each group, before its changes are reported.
    init(_ database: DatabaseQueue, afterCommit: @escaping @Sendable (Database) -> Void) {
        self.database = database
        self.afterCommit = afterCommit
    }

    /// Runs a change and returns what it returned, once it is on disk.
    func perform<Value: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                Change(
                    run: { database in
                        let result = Self.inSavepoint(of: database, change)
                        return { commitError in
                            if let commitError {
                                continuation.resume(throwing: commitError)
                            } else {
                                continuation.resume(with: result)
                            }
                        }
                    },
                    refuse: { continuation.resume(throwing: $0) }))
        }
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

    private func submit(_ change: Change) {
        let mustStart = state.withLock { state in
            state.waiting.append(change)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        database.asyncWriteWithoutTransaction { [self] database in drain(database) }
    }

    private func drain(_ database: Database) {
        while true {
            let group = state.withLock { state -> [Change] in
                let group = Array(state.waiting.prefix(Self.groupLimit))
                state.waiting.removeFirst(group.count)
                state.isRunning = !group.isEmpty
                return group
            }
            if group.isEmpty { return }
            commit(group, in: database)
        }
    }

    private func commit(_ group: [Change], in database: Database) {
        var reports: [Report] = []
        do {
            try database.inTransaction(.immediate) {
                reports = group.map { $0.run(database) }
                return .commit
            }
            afterCommit(database)
            for report in reports { report(nil) }
        } catch {
            for report in reports { report(error) }
            for change in group.dropFirst(reports.count) { change.refuse(error) }
        }
    }
}
