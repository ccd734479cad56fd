import NotificationModel
internal import NotificationStore

/// Whether the session is locked, and the answers that wait until it is not.
///
/// Answers are held and let go in the order in which they were given: while one of an app waits, its
/// later ones wait behind it. The machine holds numbers of stored answers alone, and never lets one
/// go while the session is locked.
///
/// What was on the screen before the session was locked stays as it is. Lockers cover it, and where
/// one does not, replacing every popup would draw the eye to them, and start their time anew.
struct LockMachine: Hashable {
    private(set) var status = LockStatus()
    /// The answers that wait, in their order.
    private(set) var held: [HeldResponse] = []

    /// The stored answers that wait are read.
    mutating func load(_ held: [HeldResponse]) {
        self.held = held
    }

    /// The session was locked or unlocked, or somebody else says so; whether it is unlocked now and
    /// was not.
    mutating func change(_ status: LockStatus) -> Bool {
        let wasUnlocked = self.status.isUnlocked
        self.status = status
        return !wasUnlocked && status.isUnlocked
    }

    /// Whether texts that are shown at these times may not be shown now.
    func hides(_ previews: ShowPreviews) -> Bool {
        switch previews {
        case .always: false
        case .whenAuthenticated: status.isLocked
        case .never: true
        }
    }

    /// Whether an answer of this app waits.
    func isHolding(_ app: ApplicationID) -> Bool { held.contains { $0.key.app == app } }

    /// An answer that waits was stored.
    mutating func hold(_ response: NotificationResponse) {
        let one = HeldResponse(id: response.id, key: response.notification.key)
        if !held.contains(one) { held.append(one) }
    }

    /// An answer waits no longer.
    mutating func release(_ one: HeldResponse) {
        held.removeAll { $0 == one }
    }

    /// The next answer that goes to its app; nil while they wait.
    var next: HeldResponse? { status.isUnlocked ? held.first : nil }
}

extension EngineState {
    /// The session was locked or unlocked.
    mutating func lockChanged(_ status: LockStatus, now: ClockReading) -> [EngineEffect] {
        guard lock.change(status), !isStopping else { return [] }
        return releaseHeld() + findHidden() + advance(now: now)
    }

    // MARK: Hidden texts

    /// The same popup with what is known of its texts, at the last moment before it is shown.
    func previewed(_ presentation: Presentation) -> Presentation {
        guard !presentation.isQuestion else { return presentation }
        var presentation = presentation
        presentation.previews = self[presentation.notification.app].previews
        presentation.isLocked = lock.status.isLocked
        return presentation
    }

    /// Whether the texts of an app's notifications may not be shown now.
    func hidesTexts(of app: ApplicationID) -> Bool { lock.hides(self[app].previews) }

    /// Looks for popups whose texts are hidden without a reason.
    func findHidden() -> [EngineEffect] {
        lock.status.isLocked || isStopping || !isPresenterAvailable ? [] : [.findHidden]
    }

    // MARK: Answers that wait

    /// Whether an answer waits until the session is unlocked: one by an action that wants to know who
    /// pressed it, and what an app is to hear after that.
    func holds(
        _ action: NotificationResponse.Action, to notification: DeliveredNotification
    ) -> Bool {
        if lock.isHolding(notification.app) { return true }
        guard lock.status.isLocked else { return false }
        switch action {
        case .custom(let identifier), .reply(let identifier, _):
            return self.action(identifier, of: notification)?.options
                .contains(.authenticationRequired) ?? false
        case .standard, .dismiss: return false
        }
    }

    /// An answer that waits was stored.
    mutating func responseHeld(_ response: NotificationResponse) -> [EngineEffect] {
        lock.hold(response)
        return releaseHeld()
    }

    /// An answer that waited goes to its app; nil where its notification is gone meanwhile.
    mutating func released(
        _ held: HeldResponse, _ response: NotificationResponse?, startingApp: Bool,
        now: ClockReading
    ) -> [EngineEffect] {
        lock.release(held)
        guard let response else { return [] }
        return changes.answered(held.key, response.action)
            + responseRecorded(response, startingApp: startingApp, now: now)
    }

    /// The next answer that goes to its app; nil while they wait.
    var nextHeld: HeldResponse? { isStopping ? nil : lock.next }

    /// Lets go of the answers that wait, where the session is unlocked.
    func releaseHeld() -> [EngineEffect] {
        nextHeld == nil ? [] : [.releaseHeld]
    }
}
