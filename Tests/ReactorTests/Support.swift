import Reactor
import TestSupport
import Testing

/// The values that handlers saw, in order.
final class Log: Sendable {
    private let recording = Recording<Int>()

    var values: [Int] { recording.all }

    func append(_ value: Int) {
        recording.append(value)
    }

    /// Returns once there are `count` values, or with an issue if they never come.
    func wait(for count: Int) async {
        do {
            try await recording.wait(for: "\(count) values") { $0.count >= count }
        } catch {
            Issue.record(error)
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
