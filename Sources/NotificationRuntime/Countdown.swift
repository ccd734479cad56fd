internal import Reactor

/// Does something once a condition has lasted: nobody needs the daemon, its bus does not come back.
final class Countdown: Sendable {
    private let reactor: Reactor
    private let patience: Duration
    private let end: @Sendable () -> Void
    /// Touched on the reactor's thread only, which `reactor.deadline` checks.
    private nonisolated(unsafe) var deadline: Deadline?

    init(_ patience: Duration, reactor: Reactor, _ end: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.reactor = reactor
        self.end = end
    }

    /// Begins to count anew where the condition holds, and stops counting where it does not; on
    /// the reactor's thread.
    func conditionHolds(_ holds: Bool) {
        deadline?.cancel()
        deadline = nil
        guard holds else { return }
        deadline = reactor.deadline(after: patience, handler: end)
    }
}
