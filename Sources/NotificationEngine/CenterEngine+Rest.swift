import NotificationModel
internal import NotificationStore

// For whoever turns the clock: the next step makes sense only when this one has done all it does.
extension CenterEngine {
    /// Returns when nothing is under way, and nothing will be before the next alarm or call.
    package func untilAtRest() async {
        repeat {
            while !isAtRest {
                await withCheckedContinuation { restWaiters.append($0) }
            }
            // What a commit made due is told after its answer, and before that of the next.
            try? await store.untilCommitted()
            // An answer that comes before its caller has begun to wait is heard at once, ahead of what
            // was told before it.
            await Task.yield()
        } while !isAtRest
    }

    /// Tells whether anybody needs this engine.
    func reportQuiet() {
        quietWatch?(
            state.sessions.isEmpty && watchers.isEmpty && state.flights.isEmpty
                && state.localizing.isEmpty
                && state.asking.isEmpty && dialogs.isEmpty && state.launches.waiting.isEmpty
                && state.lock.held.isEmpty && state.head == ScheduleHead())
    }

    /// Whoever waits for rest looks again.
    func reportRest() {
        guard !restWaiters.isEmpty, isAtRest else { return }
        let waiters = restWaiters
        restWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private var isAtRest: Bool {
        guard state.isIdle, changeCount == 0, !isStoringEvents else { return false }
        let now = clock.now()
        let mayClaim = state.isPresenterAvailable && !state.isStalled && state.retryAt == nil
        return !(mayClaim && state.head.isDue(at: now)) && lastAlarms == state.alarms(now: now)
    }
}
