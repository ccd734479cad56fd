internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Shows a delivered notification again later, or puts off the next date of a pending request.
    ///
    /// A snoozed notification is removed from the delivered list. Returns the new date. For a
    /// delivered notification, it is `seconds` from now. For a pending request, it is `seconds`
    /// from the request's date, or from now if that date has passed.
    ///
    /// - Throws: `notAllowed` if the app may not notify. `invalidArgument` if the interval is out
    ///   of range, or if the notification cannot be snoozed. `limitReached` beyond a quota.
    ///   `noSpace` or `storeUnavailable` if the store fails.
    public func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        try Limits.interval.check(seconds, of: "the snooze")
        if let refusal = state.refusal(of: app) { throw refusal }
        await waitForTurn(app)
        return try await snooze(NotificationKey(app: app, identifier: identifier), for: seconds)
    }

    /// Snoozes a notification if the action is a snooze button; returns whether it was snoozed.
    ///
    /// Sessions of `watch` get the press; the app does not, because a snooze is no response. If the
    /// notification cannot be snoozed, the press is an ordinary response. If the notification was
    /// removed just before the press, a pending request with its identifier keeps its date.
    func snooze(_ key: NotificationKey, pressing action: NotificationAction) async throws -> Bool {
        guard let seconds = action.snooze else { return false }
        do throws(NotificationError) {
            try Limits.interval.check(seconds, of: "the snooze")
            _ = try await snooze(key, for: seconds, onlyDelivered: true)
        } catch {
            guard [.invalidArgument, .limitReached].contains(error.code) else { throw error }
            Log.engine.warning("a snooze failed and became a response: \(error.message)")
            return false
        }
        perform(state.changes.responseEffects(key, .custom(action.identifier)))
        return true
    }

    private func snooze(
        _ key: NotificationKey, for seconds: Double, onlyDelivered: Bool = false
    ) async throws(NotificationError) -> Instant {
        let snoozed = try await changeEarly(where: { $0.key == key }) {
            engine, early throws(NotificationError) in
            try await engine.store.snooze(
                key, by: Int64(microsecondsOfSeconds: seconds), now: engine.clock.now(),
                early: early, onlyDelivered: onlyDelivered)
        }
        listsChanged(snoozed.wasDelivered ? [.pending, .delivered] : .pending, of: key.app)
        if snoozed.wasDelivered { closePopups(of: [key]) }
        return snoozed.until
    }

    /// Skips the next date of a repeating request; the request continues with the following date.
    ///
    /// - Throws: `invalidArgument` if the request is not pending, is being shown, or has no later
    ///   date. `noSpace` or `storeUnavailable` if the store fails.
    public func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        await waitForTurn(app)
        let key = NotificationKey(app: app, identifier: identifier)
        let dates = try await changeEarly(where: { $0.key == key }) {
            engine, early throws(NotificationError) in
            try await engine.store.skip(key, now: engine.clock.now(), early: early)
        }
        listsChanged(.pending, of: app)
        return dates
    }
}
