internal import Dispatch
internal import Reactor

/// Runs the completion handlers of apps one after another, on a separate thread.
///
/// A handler may block, which a thread of Swift's concurrency must not do. Handlers with a ticket
/// run in the order of their tickets, even if their calls end in another order.
final class HandlerQueue: Sendable {
    private struct State {
        var issued: UInt64 = 0
        var next: UInt64 = 0
        var finished: [UInt64: @Sendable () -> Void] = [:]
    }

    private let queue = DispatchQueue(label: "UserNotifications.handlers")
    private let state = Locked(State())

    /// Returns the next number in the order of the handlers.
    func ticket() -> UInt64 {
        state.withLock { state in
            defer { state.issued += 1 }
            return state.issued
        }
    }

    func run(_ ticket: UInt64? = nil, _ handler: @escaping @Sendable () -> Void) {
        guard let ticket else { return queue.async(execute: handler) }
        state.withLock { state in
            state.finished[ticket] = handler
            while let ready = state.finished.removeValue(forKey: state.next) {
                state.next += 1
                queue.async(execute: ready)
            }
        }
    }

    /// Returns when every handler that is already in the queue has run.
    func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}

/// Runs work after a delay; tests decide when the delay is over.
package struct DelayedWork: Sendable {
    /// Runs work after a duration, on any thread.
    package let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    package init(
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.schedule = schedule
    }

    /// Waits in real time; the fraction of a second in a duration is ignored.
    package static let system: DelayedWork = {
        let queue = DispatchQueue(label: "UserNotifications.delays")
        return DelayedWork { duration, work in
            queue.asyncAfter(
                deadline: .now() + .seconds(Int(duration.components.seconds)), execute: work)
        }
    }()
}
