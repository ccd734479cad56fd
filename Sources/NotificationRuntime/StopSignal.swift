internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ends a long-running process in order: on SIGTERM, SIGINT, or by a decision of its own.
final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    /// Written once, before anybody else has this object, and then only kept alive.
    private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGTERM, SIGINT] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in self?.raise() }
            source.activate()
            sources.append(source)
        }
    }

    /// Whether it was raised.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns once it was raised; one task may wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiter = continuation }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}
