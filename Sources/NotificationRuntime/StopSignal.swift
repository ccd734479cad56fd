internal import Glibc
internal import Logging
public import Reactor

/// Ends a long-running process cleanly: on SIGTERM, SIGINT or SIGHUP, or when the process calls
/// `raise()`.
public final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var isInterrupted = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())
    /// Only the reactor's thread uses this property.
    private nonisolated(unsafe) var watch: SignalWatch?

    /// Makes a stop signal that no process signal raises.
    public init() {}

    /// Handles SIGTERM; also SIGINT and SIGHUP if this process does not ignore them.
    ///
    /// Call it on the main thread before any other thread starts. A thread that started earlier
    /// would receive the signals with their default effect.
    ///
    /// A shell without job control lets a command with `&` ignore SIGINT, because Ctrl-C is not
    /// meant for that command. nohup(1) lets a command ignore SIGHUP.
    public init(signalsOn reactor: Reactor) {
        let blocked: SignalWatch.Blocked
        do throws(SystemFailure) {
            blocked = try SignalWatch.Blocked(
                TerminationSignals.numbers.filter { number in
                    number == SIGTERM || !SignalWatch.isIgnored(number)
                })
        } catch {
            Log.daemon.error("SIGTERM, SIGINT and SIGHUP cannot be handled: \(error)")
            return
        }
        reactor.perform { [weak self] in
            self?.watch = SignalWatch(blocked, on: reactor) { [weak self] _, _ in self?.raise() }
        }
    }

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        wake { $0.isRaised = true }
    }

    /// Ends the current `wait()`, or else the next one.
    ///
    /// After that, the waiting task checks again whether it must continue to wait.
    func interrupt() {
        wake { $0.isInterrupted = true }
    }

    /// Returns after `raise()` or `interrupt()`; only one task may wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                defer { state.isInterrupted = false }
                if !state.isRaised && !state.isInterrupted { state.waiter = continuation }
                return state.isRaised || state.isInterrupted
            }
            if goesOn { continuation.resume() }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            state.isInterrupted = false
            return waiter
        }
        waiter?.resume()
    }
}
