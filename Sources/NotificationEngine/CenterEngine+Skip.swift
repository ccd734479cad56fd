public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Passes over the next date of a repeating request, which goes on with the one after it.
    public func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        await takeTurn(app)
        passTurn(app)
        let dates = try await store.skip(identifier, of: app, now: clock.now())
        changed(.pending, of: app)
        return dates
    }
}
