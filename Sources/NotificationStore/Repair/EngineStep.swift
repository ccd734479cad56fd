/// A point of the engine's work at which tests simulate a crash.
///
/// A crash leaves a different state after each point.
package enum EngineStep: String, Hashable, Sendable, CaseIterable {
    /// Changes are taken from the queue; their transaction has not begun.
    case collected
    /// Changes ran in their transaction, which is not committed yet.
    case changed
    /// The transaction is on disk, but no caller knows yet.
    case committed
    /// Claimed rows are about to go to the presenter.
    case presenting
    /// The presenter has reported an outcome, which is not stored yet.
    case presented
    /// The outcomes of shown rows go to the store, which commits them with its next change.
    case settling
    /// An app may have a response that the store does not have yet.
    case responding
    /// A response is stored and its app is not connected, so the app is about to be started.
    case launching
    /// The app was started, but that is not stored yet.
    case launched
    /// A rescue has copied the damaged database and touched nothing else.
    case imageWritten
    /// All readable rows are committed in a new database.
    case rowsCollected
    /// The new database is on disk under the name that the next start looks for.
    case exchangePrepared
    /// The log of the former database was moved out of the way, to a name with a number.
    case logMoved
    /// The former database was moved to a name with the same number, so its place is empty.
    case databaseMoved
    /// The new database is in its place.
    case exchanged
    /// This store holds the rows and the UUID of another store, which is not wholly removed yet.
    case adopted
}
