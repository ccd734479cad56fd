public import NotificationModel

// Waiting for the end of everything that an app has started.
extension CenterEngine {
    /// Returns when nothing of the app waits, is on its way, or was answered and not acknowledged.
    public func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        await takeTurn(app)
        callOrder.pass(app)
        while true {
            let count = endCount
            let isIdle = try await store.isIdle(app, includingPopups: includingPopups)
            // Who types an answer is not done.
            if isIdle, !textKeys.values.contains(where: { $0.app == app }) { return }
            // What ended while the store was read may have been the last.
            guard count == endCount else { continue }
            await withCheckedContinuation { idleWaiters.append($0) }
        }
    }

    /// Whoever waits looks again.
    func somethingEnded() {
        endCount += 1
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
