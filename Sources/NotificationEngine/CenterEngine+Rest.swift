internal import NotificationModel

// For whoever turns the clock: the next step makes sense only when this one has done all it does.
extension CenterEngine {
    /// Returns when nothing is under way, and nothing will be before the next alarm or call.
    package func untilAtRest() async {
        while !isAtRest {
            await withCheckedContinuation { restWaiters.append($0) }
        }
    }

    /// Whoever waits for rest looks again.
    func reportRest() {
        guard !restWaiters.isEmpty, isAtRest else { return }
        let waiters = restWaiters
        restWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private var isAtRest: Bool {
        guard state.isIdle, changeCount == 0 else { return false }
        let mayClaim = state.isPresenterAvailable && !state.isStalled && state.retryAt == nil
        return !mayClaim || !state.head.isDue(at: clock.now())
    }
}
