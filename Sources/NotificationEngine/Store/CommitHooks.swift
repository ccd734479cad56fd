internal import GRDB

/// What the commit queue asks of the store that owns it.
struct CommitHooks: Sendable {
    /// Runs after each commit, when its changes have been reported.
    var afterCommit: @Sendable (Database) -> Void
    /// Frees what is kept for a full disk; false where there is nothing to free.
    var makeRoom: @Sendable () -> Bool
    /// Puts a damaged database aside and opens another with what can be read of it.
    var repair: @Sendable () throws -> DatabaseQueue
    /// Tells a test how far the work has come.
    var step: @Sendable (EngineStep) -> Void
}
