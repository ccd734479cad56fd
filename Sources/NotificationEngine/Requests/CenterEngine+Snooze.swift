internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Takes a delivered notification away and shows it again after so many seconds, or puts off
    /// the next date of a waiting request.
    public func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        try Limits.interval.check(seconds, of: "the snooze")
        if let refusal = state.refusal(of: app) { throw refusal }
        await waitForTurn(app)
        return try await snooze(NotificationKey(app: app, identifier: identifier), for: seconds)
    }

    /// Does what a button says that snoozes; false where it is none.
    ///
    /// Watchers hear that it was pressed, the app does not: nothing was answered yet. Where the
    /// notification cannot come again, pressing is an answer like any other.
    func snooze(_ key: NotificationKey, pressing action: NotificationAction) async throws -> Bool {
        guard let seconds = action.snooze else { return false }
        do throws(NotificationError) {
            try Limits.interval.check(seconds, of: "the snooze")
            _ = try await snooze(key, for: seconds)
        } catch {
            guard error.code == .invalidArgument else { throw error }
            Log.engine.warning("a button that snoozes is an answer: \(error.message)")
            return false
        }
        perform(state.changes.answered(key, .custom(action.identifier)))
        return true
    }

    private func snooze(
        _ key: NotificationKey, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        let snoozed = try await store.snooze(
            key, by: Int64(microsecondsOfSeconds: seconds), now: clock.now())
        changed(snoozed.wasDelivered ? [.pending, .delivered] : .pending, of: key.app)
        if snoozed.wasDelivered { closePopups(of: [key]) }
        return snoozed.until
    }

    /// Passes over the next date of a repeating request, which goes on with the one after it.
    public func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        await waitForTurn(app)
        let dates = try await store.skip(identifier, of: app, now: clock.now())
        changed(.pending, of: app)
        return dates
    }
}
