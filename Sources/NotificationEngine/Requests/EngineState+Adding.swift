import NotificationModel
internal import NotificationStore

// Requests that are shown as soon as they are stored, without a claim.
extension EngineState {
    /// Whether a request that is due at once is stored as "presenting" right away, and its
    /// place is kept: nothing holds it up, and nothing that is due goes before it.
    mutating func reserve(
        _ request: NotificationRequest, of app: ApplicationID, now: ClockReading
    ) -> Bool {
        let isPossible =
            isPresenterAvailable && !isStopping && !isClaiming && retryAt == nil
            && request.content.localization == nil
            && !head.isDue(at: now)
            && queue.room > reserved && queue.postsAtOnce(app)
            && !localizing.contains(app) && session(of: app, asking: true) == nil
        if isPossible { reserved += 1 }
        return isPossible
    }

    /// Requests were stored for which so many places were kept; these are "presenting".
    mutating func inserted(
        _ rows: [ClaimedRequest], reserved count: Int, now: ClockReading
    ) -> [EngineEffect] {
        reserved -= count
        return count == 0 ? [] : begin(rows, now: now) + advance(now: now)
    }
}
