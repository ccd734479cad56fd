import Reactor
import Synchronization

/// What handlers saw, in order.
final class Log: Sendable {
    private struct State {
        var values: [Int] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var values: [Int] { state.withLock { $0.values } }

    func append(_ value: Int) {
        state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            state.waiters.removeAll { waiter in
                if waiter.count <= count { waiter.continuation.resume() }
                return waiter.count <= count
            }
        }
    }

    /// Returns once there are so many.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.values.count >= count {
                    continuation.resume()
                } else {
                    state.waiters.append((count, continuation))
                }
            }
        }
    }
}

/// Keeps what lives on the reactor's thread.
///
/// Unchecked: each test uses it on one thread at a time.
final class Holder<Value>: @unchecked Sendable {
    var value: Value?
}

/// An actor that adopts a reactor.
actor Counter {
    nonisolated let reactor: Reactor
    nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
    private(set) var total = 0

    init(reactor: Reactor) {
        self.reactor = reactor
    }

    var isOnReactor: Bool { reactor.isCurrent }

    func add(_ number: Int) {
        total += number
    }
}

/// Does work on the reactor's thread and returns when it is done.
func onReactor(_ reactor: Reactor, _ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        reactor.perform {
            work()
            continuation.resume()
        }
    }
}

/// Returns when all work given before has been done.
func settle(_ reactor: Reactor) async {
    await onReactor(reactor) {}
}
