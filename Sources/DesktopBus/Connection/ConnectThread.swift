internal import Reactor

/// An attempt to connect to a bus; the attempt ends when its owner releases this object.
final class ConnectAttempt: Sendable {
    /// Receives the result, on the thread that has called connect(2).
    let end: @Sendable (Result<Wire, BusError>) -> Void

    init(end: @escaping @Sendable (Result<Wire, BusError>) -> Void) {
        self.end = end
    }
}

/// The threads that connect to buses: at most one per address.
///
/// While a bus hangs and its backlog is full, connect(2) blocks, and nothing can end that call.
/// With one thread per attempt, each attempt that times out would leave a blocked thread behind. So
/// further attempts use the thread that still connects to their address.
enum ConnectThread {
    private struct Waiter {
        weak var attempt: ConnectAttempt?
    }

    /// The waiting attempts by the address of the bus; an address has an entry while its thread
    /// runs.
    ///
    /// The list is static, because a program may make a new `BusConnection` for each attempt.
    private static let waiters = Locked<[String: [Waiter]]>([:])

    /// Begins an attempt; returns false, with the reason in `errno`, if no thread can start.
    static func beginAttempt(_ attempt: ConnectAttempt, to address: BusAddress) -> Bool {
        waiters.withLock { waiters in
            let former = waiters[address.rawValue]
            if former == nil {
                let isStarted = ReactorThread.starts(name: "connect") { connectAll(to: address) }
                guard isStarted else { return false }
            }
            let waiting = (former ?? []).filter { $0.attempt != nil }
            waiters[address.rawValue] = waiting + [Waiter(attempt: attempt)]
            return true
        }
    }

    /// Connects while an attempt waits; each result goes to the first attempt that still waits.
    private static func connectAll(to address: BusAddress) {
        while hasWaiters(address) {
            let result = Wire.connected(to: address)
            takeFirst(address)?.end(result)
        }
    }

    /// Whether an attempt waits; if not, removes the entry of the address, because the thread ends.
    private static func hasWaiters(_ address: BusAddress) -> Bool {
        waiters.withLock { waiters in
            let isWaiting = waiters[address.rawValue]?.contains { $0.attempt != nil } ?? false
            if !isWaiting { waiters[address.rawValue] = nil }
            return isWaiting
        }
    }

    private static func takeFirst(_ address: BusAddress) -> ConnectAttempt? {
        waiters.withLock { waiters in
            while let waiter = waiters[address.rawValue]?.first {
                waiters[address.rawValue]?.removeFirst()
                if let attempt = waiter.attempt { return attempt }
            }
            return nil
        }
    }
}
