internal import Glibc
internal import Logging
public import Reactor

/// Ends a long-running process in order: on SIGTERM, SIGINT, or by a decision of its own.
public final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var isInterrupted = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private static let signals = [SIGTERM, SIGINT]

    private let state = Locked(State())
    /// Touched on the reactor's thread only.
    private nonisolated(unsafe) var watch: SignalWatch?

    /// Makes one that no signal raises.
    public init() {}

    /// Takes the signals; to be called on the main thread, before the program starts another that
    /// would take them with the standard effect.
    public init(signalsOn reactor: Reactor) {
        let blocked: SignalWatch.Blocked
        do throws(SystemFailure) {
            blocked = try SignalWatch.Blocked(Self.signals)
        } catch {
            Log.daemon.error("signals cannot be read: \(error)")
            return
        }
        reactor.perform { [weak self] in
            self?.watch = SignalWatch(blocked, on: reactor) { [weak self] _, _ in self?.raise() }
        }
    }

    /// Whether it is time to end.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        wake { $0.isRaised = true }
    }

    /// Ends one `wait()` alone: what it waits in has to be done anew.
    func interrupt() {
        wake { $0.isInterrupted = true }
    }

    /// Returns once it was raised, or interrupted; one task may wait.
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
