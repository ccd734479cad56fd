import NotificationModel
internal import NotificationStore

// Requests that are due at once. The insertion itself marks their rows "presenting", so the engine
// delivers them without claiming them first.
extension EngineState {
    /// Reserves room for a request that is due at once, so that it is stored as "presenting".
    ///
    /// Returns false if the request could not be posted at once, for example because a due row
    /// comes first.
    mutating func reserve(
        _ request: NotificationRequest, of app: ApplicationID, now: ClockReading
    ) -> Bool {
        let isPossible =
            isPresenterAvailable && !isStopping && !isClaiming && retryAt == nil
            && request.content.localization == nil
            && !head.isDue(at: now)
            && queue.room > reserved && queue.postsAtOnce(app)
            && !localizing.contains(app) && responses.asked(by: app) == nil
        if isPossible { reserved += 1 }
        return isPossible
    }

    /// Begins to deliver rows that were stored as "presenting", and frees the reserved room.
    mutating func rowsInserted(
        _ rows: [ClaimedRequest], reserved count: Int, now: ClockReading
    ) -> [EngineEffect] {
        reserved -= count
        return count == 0 ? [] : beginDelivery(rows, now: now) + advance(now: now)
    }
}
