internal import NotificationStore
internal import Reactor

/// Carries the store's reports to the engine, which exists only after the store was opened: what
/// comes before is kept, the latest alone.
final class ScheduleMailbox: Sendable {
    private struct State {
        var receiver: (@Sendable (ScheduleHead) -> Void)?
        var latest: ScheduleHead?
    }

    private let state = Locked(State())

    func post(_ head: ScheduleHead) {
        let receiver = state.withLock { state in
            if state.receiver == nil { state.latest = head }
            return state.receiver
        }
        receiver?(head)
    }

    func open(_ receiver: @escaping @Sendable (ScheduleHead) -> Void) {
        let latest = state.withLock { state in
            state.receiver = receiver
            return state.latest
        }
        if let latest { receiver(latest) }
    }
}
