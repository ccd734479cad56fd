internal import CLinux
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
    private let descriptor: Int32
    /// Touched on the reactor's thread only, which `reactor.watch` checks.
    private nonisolated(unsafe) var watch: DescriptorWatch?

    /// Makes one that no signal raises.
    public init() {
        descriptor = -1
    }

    /// Takes the signals; to be called on the main thread, before the program starts another that
    /// would take them with the standard effect.
    public init(signalsOn reactor: Reactor) {
        var taken = sigset_t()
        sigemptyset(&taken)
        for number in Self.signals { sigaddset(&taken, number) }
        pthread_sigmask(SIG_BLOCK, &taken, nil)
        descriptor = signalfd(-1, &taken, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        guard descriptor >= 0 else {
            // Without a descriptor the program is better ended by the signal than not at all.
            Log.daemon.error("signals cannot be read: \(String(cString: strerror(errno)))")
            pthread_sigmask(SIG_UNBLOCK, &taken, nil)
            return
        }
        reactor.perform { [weak self] in self?.begin(on: reactor) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private func begin(on reactor: Reactor) {
        watch = reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.take() }
    }

    private func take() {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(descriptor, &information, size) == size { raise() }
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
