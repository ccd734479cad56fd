import Synchronization

/// Interest in signals or in the owner of a name; it ends with `cancel()` or with this object.
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

    /// Ends the subscription, from any thread; a handler that has not begun does not run.
    public func cancel() {
        guard liveness.endOnce() else { return }
        end()
    }

    /// Whether the subscription is still active; the subscription and the connection share it.
    final class Liveness: Sendable {
        private let isLive = Atomic<Bool>(true)

        var stands: Bool { isLive.load(ordering: .acquiring) }

        func endOnce() -> Bool {
            isLive.exchange(false, ordering: .acquiringAndReleasing)
        }
    }
}
