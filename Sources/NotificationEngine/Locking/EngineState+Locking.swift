import NotificationModel
internal import NotificationStore

/// A locked session: whose texts are hidden, and which answers wait.
///
/// What was on the screen before the session was locked stays as it is. Lockers cover it, and where
/// one does not, replacing every popup would draw the eye to them, and start their time anew.
extension EngineState {
    /// The session was locked or unlocked, or somebody else says so.
    mutating func lockChanged(_ status: LockStatus, now: ClockReading) -> [EngineEffect] {
        let wasUnlocked = lock.isUnlocked
        lock = status
        guard !wasUnlocked, status.isUnlocked, !isStopping else { return [] }
        return releaseHeld() + findHidden() + pump(now: now)
    }

    // MARK: Hidden texts

    /// When the texts of an app's notifications are shown.
    ///
    /// The desktop's own setting counts before our record, as a person sees it there; "never" is in
    /// none of them.
    func previews(of app: ApplicationID) -> ShowPreviews {
        let record = previews[app]
        if record == .never { return .never }
        if let shows = switches[app]?.showsTextsWhileLocked {
            return shows ? .always : .whenAuthenticated
        }
        return record ?? .whenAuthenticated
    }

    /// The same popup with what is known of its texts, at the last moment before it is shown.
    func previewed(_ presentation: Presentation) -> Presentation {
        guard !presentation.isQuestion else { return presentation }
        var presentation = presentation
        presentation.previews = previews(of: presentation.notification.app)
        presentation.isLocked = lock.isLocked
        return presentation
    }

    /// Whether the count of its thread may be told in place of its texts.
    func tellsCount(_ presentation: Presentation) -> Bool {
        guard !presentation.isQuestion, presentation.category?.placeholderCounts == true else {
            return false
        }
        return hidesTexts(of: presentation.notification.app)
    }

    /// Whether the texts of an app's notifications may not be shown now.
    func hidesTexts(of app: ApplicationID) -> Bool {
        switch previews(of: app) {
        case .always: false
        case .whenAuthenticated: lock.isLocked
        case .never: true
        }
    }

    /// Looks for popups whose texts are hidden without a reason.
    func findHidden() -> [EngineEffect] {
        lock.isLocked || isStopping || !isPresenterAvailable ? [] : [.findHidden]
    }

    // MARK: Answers that wait

    /// Whether an answer of this app may have to wait.
    func mayHold(_ app: ApplicationID) -> Bool {
        lock.isLocked || held.contains { $0.key.app == app }
    }

    /// Whether an answer waits until the session is unlocked: one by an action that wants to know who
    /// pressed it, and what an app is to hear after that.
    func holds(
        _ action: NotificationResponse.Action, to notification: DeliveredNotification
    ) -> Bool {
        if held.contains(where: { $0.key.app == notification.app }) { return true }
        guard lock.isLocked else { return false }
        switch action {
        case .custom(let identifier), .reply(let identifier, _):
            return self.action(identifier, of: notification)?.options
                .contains(.authenticationRequired) ?? false
        case .standard, .dismiss: return false
        }
    }

    /// An answer that waits was stored.
    mutating func responseHeld(_ response: NotificationResponse) -> [EngineEffect] {
        let one = HeldResponse(id: response.id, key: response.notification.key)
        if !held.contains(one) { held.append(one) }
        return releaseHeld()
    }

    /// The next answer that goes to its app; nil where they wait.
    var nextHeld: HeldResponse? { !lock.isUnlocked || isStopping ? nil : held.first }

    /// Lets go of the answers that wait, where the session is unlocked.
    func releaseHeld() -> [EngineEffect] {
        nextHeld == nil ? [] : [.releaseHeld]
    }
}

extension NotificationCategory {
    /// Whether its placeholder has a place for the number of notifications.
    fileprivate var placeholderCounts: Bool {
        hiddenPreviewsBodyPlaceholder.contains("%u")
    }
}
