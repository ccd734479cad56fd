internal import Reactor

/// Calls a handler when a condition, such as the idleness of a daemon, has lasted for some time.
final class Countdown: Sendable {
    private let reactor: Reactor
    private let duration: Duration
    private let end: @Sendable () -> Void
    /// Only the reactor's thread uses this property; `reactor.deadline` checks the thread.
    private nonisolated(unsafe) var deadline: Deadline?

    init(_ duration: Duration, reactor: Reactor, _ end: @escaping @Sendable () -> Void) {
        self.duration = duration
        self.reactor = reactor
        self.end = end
    }

    /// Restarts the countdown if the condition holds, and stops it otherwise.
    ///
    /// Call it on the reactor's thread.
    func update(isRunning holds: Bool) {
        deadline?.cancel()
        deadline = nil
        guard holds else { return }
        deadline = reactor.deadline(after: duration, handler: end)
    }
}
