import Synchronization

/// A subscription to signals or to the owner of a name.
///
/// The subscription ends with `cancel()`, or when this object is released.
public final class BusSubscription: Sendable {
    private let liveness: Liveness
    private let end: @Sendable () -> Void

    init(_ liveness: Liveness, end: @escaping @Sendable () -> Void) {
        self.liveness = liveness
        self.end = end
    }

    deinit {
        cancel()
    }

    /// Ends the subscription, from any thread.
    ///
    /// After a call on the reactor's thread, the handler does not run again. After a call on
    /// another thread, the handler may still begin once.
    public func cancel() {
        guard liveness.endOnce() else { return }
        end()
    }

    /// Whether the subscription is still active; the subscription and the connection share this
    /// object.
    final class Liveness: Sendable {
        private let isLive = Atomic<Bool>(true)

        var stands: Bool { isLive.load(ordering: .acquiring) }

        func endOnce() -> Bool {
            isLive.exchange(false, ordering: .acquiringAndReleasing)
        }
    }
}
