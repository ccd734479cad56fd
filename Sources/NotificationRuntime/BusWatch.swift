internal import DesktopBus
internal import Logging
internal import Reactor

/// Ends a daemon whose bus does not come back.
final class BusWatch: Sendable {
    private let reactor: Reactor
    private let stop: StopSignal
    /// Touched on the reactor's thread only, where the connection reports.
    private nonisolated(unsafe) var deadline: Deadline?

    init(reactor: Reactor, stop: StopSignal) {
        self.reactor = reactor
        self.stop = stop
    }

    func observe(_ connection: BusConnection) async {
        await connection.onStateChange { state in
            self.deadline?.cancel()
            self.deadline = nil
            guard case .disconnected = state else { return }
            self.deadline = self.reactor.deadline(after: Daemon.busPatience) {
                Log.daemon.notice("the session bus has gone; the daemon ends")
                self.stop.raise()
            }
        }
    }
}
