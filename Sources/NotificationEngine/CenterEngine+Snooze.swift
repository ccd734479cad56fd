public import NotificationModel

extension CenterEngine {
    /// Takes a delivered notification away and shows it again after so many seconds, or puts off
    /// the next date of a waiting request.
    public func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        let delay = try FireSchedule.delay(seconds)
        if let refusal = state.refusal(of: app) { throw refusal }
        await takeTurn(app)
        callOrder.pass(app)
        let key = NotificationKey(app: app, identifier: identifier)
        let snoozed = try await store.snooze(key, by: delay, now: clock.now())
        changed(snoozed.wasDelivered ? [.pending, .delivered] : .pending, of: app)
        if snoozed.wasDelivered { await presenter.withdraw([key]) }
        return snoozed.until
    }
}
