package import NotificationModel
internal import Synchronization

/// A session that a test locks and unlocks.
package final class RecordingLock: LockSource {
    private struct State {
        var status: LockStatus
        var listener: (@Sendable (LockStatus) -> Void)?
    }

    private let state: Mutex<State>

    package init(isLocked: Bool = false) {
        state = Mutex(State(status: Self.status(isLocked)))
    }

    /// Leaves the lock status undecided until the next `lock(_:)`.
    package func keepQuiet() {
        state.withLock { $0.status = LockStatus(isDecided: false) }
    }

    /// Locks or unlocks the session, and calls the listener.
    package func lock(_ isLocked: Bool = true) {
        let listener = state.withLock { state in
            state.status = Self.status(isLocked)
            return state.listener
        }
        listener?(Self.status(isLocked))
    }

    package func follow(
        _ listener: @escaping @Sendable (LockStatus) -> Void
    ) async -> LockStatus {
        state.withLock { state in
            state.listener = listener
            return state.status
        }
    }

    private static func status(_ isLocked: Bool) -> LockStatus {
        LockStatus(isLocked: isLocked, sources: ["org.example.Locker"])
    }
}
