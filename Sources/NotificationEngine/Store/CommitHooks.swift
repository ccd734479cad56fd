internal import GRDB

/// What the commit queue asks of the store that owns it; all on the store's thread.
struct CommitHooks: Sendable {
    /// Runs after each commit, when its changes have been reported.
    var afterCommit: @Sendable (Database) -> Void = { _ in }
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
