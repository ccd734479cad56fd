/// The points between which a crash makes a difference; tests stop the engine at each.
package enum EngineStep: String, Hashable, Sendable, CaseIterable {
    /// Changes are taken from the queue, their transaction has not begun.
    case collected
    /// Changes ran in their transaction, which is not committed.
    case changed
    /// The transaction is on disk, and nobody knows yet.
    case committed
    /// Claimed rows are about to go to the presenter.
    case presenting
    /// The presenter has reported an outcome, which is not stored.
    case presented
    /// A response is stored and nobody is connected to take it: its app is about to be started.
    case launching
    /// The app was started, and that is not stored.
    case launched
}
