import NotificationModel
internal import NotificationStore

/// Whether the session is locked, and the responses that wait for the unlock.
///
/// It owns the ids of the deferred responses; the store has the responses. While one response of an
/// app waits, the app's later responses wait behind it. While the session is locked, no response is
/// released.
///
/// While the lock status is undecided, the session counts as locked, because it may be locked.
///
/// A popup from before the lock keeps its texts. Lock screens cover popups, and a replacement would
/// attract attention and restart the popup's timeout.
struct LockMachine: Hashable {
    private(set) var status = LockStatus()
    private(set) var deferred: [DeferredResponse] = []

    mutating func load(_ deferred: [DeferredResponse]) {
        self.deferred = deferred
    }

    /// Takes a new status; returns whether it unlocks the session.
    mutating func statusChanged(_ status: LockStatus) -> Bool {
        let wasUnlocked = self.status.isUnlocked
        self.status = status
        return !wasUnlocked && status.isUnlocked
    }

    func hides(_ previews: ShowPreviews) -> Bool {
        switch previews {
        case .always: false
        case .whenAuthenticated: !status.isUnlocked
        case .never: true
        }
    }

    func isHolding(_ app: ApplicationID) -> Bool { deferred.contains { $0.key.app == app } }

    mutating func deferResponse(_ response: NotificationResponse) {
        let one = DeferredResponse(id: response.id, key: response.notification.key)
        if !deferred.contains(one) { deferred.append(one) }
    }

    mutating func release(_ one: DeferredResponse) {
        deferred.removeAll { $0 == one }
    }

    /// The next response to release; nil while the session is locked, or if no response waits.
    var next: DeferredResponse? { status.isUnlocked ? deferred.first : nil }
}

extension EngineState {
    /// Takes a new status; after an unlock, releases the responses and reveals the texts.
    mutating func lockChanged(_ status: LockStatus, now: ClockReading) -> [EngineEffect] {
        guard lock.statusChanged(status), !isStopping else { return [] }
        return releaseHeld() + findHidden() + advance(now: now)
    }

    // MARK: Hidden texts

    func hidesTexts(of app: ApplicationID) -> Bool { lock.hides(self[app].previews) }

    /// Finds the popups that hide their texts, if the session is not locked.
    func findHidden() -> [EngineEffect] {
        lock.status.isUnlocked && !isStopping && isPresenterAvailable
            ? [.restoring(.findHidden)] : []
    }

    // MARK: Deferred responses

    /// Whether a response waits until the session is unlocked.
    ///
    /// A response waits if its action has `authenticationRequired` while the session is locked. It
    /// also waits if an earlier response of its app waits.
    func holds(
        _ action: NotificationResponse.Action, to notification: DeliveredNotification
    ) -> Bool {
        if lock.isHolding(notification.app) { return true }
        guard !lock.status.isUnlocked else { return false }
        switch action {
        case .custom(let identifier), .reply(let identifier, _):
            return self.action(identifier, of: notification)?.options
                .contains(.authenticationRequired) ?? false
        case .standard, .dismiss: return false
        }
    }

    /// Adds a deferred response, and releases it if the session is unlocked by now.
    mutating func responseDeferred(_ response: NotificationResponse) -> [EngineEffect] {
        lock.deferResponse(response)
        return releaseHeld()
    }

    /// Hands a deferred response to its app.
    ///
    /// `response` is nil if the response was removed from the store.
    mutating func responseReleased(
        _ deferred: DeferredResponse, _ response: NotificationResponse?, startingApp: Bool,
        now: ClockReading
    ) -> [EngineEffect] {
        lock.release(deferred)
        guard let response else { return [] }
        return changes.responseEffects(deferred.key, response.action)
            + responseRecorded(response, startingApp: startingApp, now: now)
    }

    var nextDeferred: DeferredResponse? { isStopping ? nil : lock.next }

    func releaseHeld() -> [EngineEffect] {
        nextDeferred == nil ? [] : [.releaseHeld]
    }
}
