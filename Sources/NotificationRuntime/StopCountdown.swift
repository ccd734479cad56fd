internal import Logging
internal import Reactor

/// Ends a daemon once a condition has lasted: nobody needs it, or its bus does not come back.
final class StopCountdown: Sendable {
    private let reactor: Reactor
    private let stop: StopSignal
    private let patience: Duration
    private let reason: String
    /// Touched on the reactor's thread only, which `reactor.deadline` checks.
    private nonisolated(unsafe) var deadline: Deadline?

    init(_ reason: String, after patience: Duration, reactor: Reactor, stop: StopSignal) {
        self.reason = reason
        self.patience = patience
        self.reactor = reactor
        self.stop = stop
    }

    /// Begins to count anew where the condition holds, and stops counting where it does not; on
    /// the reactor's thread.
    func conditionHolds(_ holds: Bool) {
        deadline?.cancel()
        deadline = nil
        guard holds else { return }
        deadline = reactor.deadline(after: patience) { [stop, reason] in
            Log.daemon.notice("\(reason); the daemon ends")
            stop.raise()
        }
    }
}
