import Reactor
import Synchronization

/// What handlers saw, in order.
final class Log: Sendable {
    private let entries = Mutex<[Int]>([])

    var values: [Int] { entries.withLock { $0 } }

    func append(_ value: Int) {
        entries.withLock { $0.append(value) }
    }
}

/// Returns when all work given before has been done.
func settle(_ reactor: Reactor) async {
    await withCheckedContinuation { continuation in
        reactor.perform { continuation.resume() }
    }
}
