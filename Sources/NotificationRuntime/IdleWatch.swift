internal import NotificationEngine
internal import Reactor

/// Ends a development daemon that has had nothing to do for a while.
final class IdleWatch: Sendable {
    private let reactor: Reactor
    private let stop: StopSignal
    /// Touched on the reactor's thread only, where the engine reports.
    private nonisolated(unsafe) var deadline: Deadline?

    init(reactor: Reactor, stop: StopSignal) {
        self.reactor = reactor
        self.stop = stop
    }

    func observe(_ engine: CenterEngine) async {
        await engine.watchQuiet { isQuiet in
            self.deadline?.cancel()
            self.deadline =
                isQuiet
                ? self.reactor.deadline(after: Daemon.idleLimit) { self.stop.raise() } : nil
        }
    }
}
