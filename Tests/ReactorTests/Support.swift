import Reactor
import TestSupport
import Testing

/// The numbers that handlers have appended, in order.
final class Log: Sendable {
    private let recording = Recording<Int>()

    var values: [Int] { recording.all }

    func append(_ value: Int) {
        recording.append(value)
    }

    /// Returns when there are `count` values; records an issue if they never come.
    func wait(for count: Int) async {
        do {
            try await recording.wait(for: "\(count) values") { $0.count >= count }
        } catch {
            Issue.record(error)
        }
    }
}

/// Keeps objects that live on the reactor's thread.
///
/// Unchecked: each test uses it on one thread at a time.
final class Holder<Value>: @unchecked Sendable {
    var value: Value?
}

/// An actor that runs on a reactor.
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

/// Runs work on the reactor's thread and returns when it has finished.
func onReactor(_ reactor: Reactor, _ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        reactor.perform {
            work()
            continuation.resume()
        }
    }
}

/// Returns when all earlier work has finished.
func settle(_ reactor: Reactor) async {
    await onReactor(reactor) {}
}
