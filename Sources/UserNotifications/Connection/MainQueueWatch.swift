internal import Reactor

/// Reports once that nothing serves the main queue, on which delegates are called.
///
/// The watch counts the events that wait for the main actor. Within five seconds, the main actor
/// must take at least the first waiting event.
final class MainQueueWatch: Sendable {
    /// How long an event may wait before the watch makes a report.
    static let limit = Duration.seconds(5)

    private struct State {
        var sent: UInt64 = 0
        var taken: UInt64 = 0
        var isWatching = false
        var hasReported = false
    }

    private let state = Locked(State())
    private let delays: DelayedWork
    private let report: @Sendable () -> Bool

    /// Makes a watch; after `report` has returned true, the watch does not call `report` again.
    init(delays: DelayedWork, report: @escaping @Sendable () -> Bool) {
        self.delays = delays
        self.report = report
    }

    func eventSent() {
        let begins = state.withLock { state in
            state.sent += 1
            guard !state.isWatching, !state.hasReported else { return false }
            state.isWatching = true
            return true
        }
        if begins { watch() }
    }

    func eventTaken() {
        state.withLock { $0.taken += 1 }
    }

    private func watch() {
        let first = state.withLock { $0.taken + 1 }
        delays.schedule(Self.limit) { [weak self] in self?.check(first) }
    }

    private func check(_ first: UInt64) {
        let (isLate, sent) = state.withLock { ($0.taken < first, $0.sent) }
        if isLate, report() {
            return state.withLock { $0.hasReported = true }
        }
        let continues = state.withLock { state in
            // An event that was sent after the first lock has not started a new watch.
            let isWaiting = state.taken < state.sent && (!isLate || state.sent > sent)
            state.isWatching = isWaiting
            return isWaiting
        }
        if continues { watch() }
    }
}
