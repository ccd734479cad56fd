import NotificationModel
internal import NotificationStore

/// Who hears of a response: one connected process of the app, in order, until it acknowledges.
extension EngineState {
    /// How long after a process of an app left its popups may go for that reason, in microseconds.
    private static let departureSpan: Int64 = 1_000_000

    /// Opens a session; its stored responses follow with `replay`.
    mutating func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>? = nil
    ) -> ServiceSession {
        if application.isDescribed { change(application.id) { $0.identity = application } }
        let session = ServiceSession(rawValue: nextNumber())
        responses.connect(
            ResponseMachine.Session(
                app: application.id, asksBeforePresenting: asksBeforePresenting,
                identifiers: identifiers), as: session)
        return session
    }

    /// Changes what a session wants to be asked.
    mutating func change(
        _ session: ServiceSession, _ body: (inout ResponseMachine.Session) -> Void
    ) {
        responses.change(session, body)
    }

    /// Ends a session: what it was asked is shown, what it did not acknowledge goes to another
    /// process of the app, or waits in the store.
    mutating func disconnect(_ session: ServiceSession, now: ClockReading) -> [EngineEffect] {
        guard let app = sessions[session]?.app else { return [] }
        noteDeparture(of: app, now: now)
        let handed = responses.disconnect(session)
        let asked = deliveries.filter { _, delivery in
            guard case .asking(session, _) = delivery.stage else { return false }
            return true
        }
        return present(asked.keys.sorted(), options: .all) + extensionsEnded(with: session)
            + handed
    }

    // MARK: Responses

    /// Decides what becomes of a response: who hears of it, now or after the unlocking, and whether
    /// its app is started.
    ///
    /// A connected app hears of it while the store writes it. An app that has to be started, and
    /// one of a locked session, get only what is stored.
    mutating func respond(_ response: NotificationResponse) -> (PendingResponse, [EngineEffect]) {
        let notification = response.notification
        let isHeld = holds(response.action, to: notification)
        let options = category(of: notification)?.options ?? []
        let pending = PendingResponse(
            response: response,
            isWanted: response.action != .dismiss || options.contains(.customDismissAction),
            isHeld: isHeld, startsApp: !isHeld && startsApp(of: notification.key))
        guard pending.isWanted, !isHeld else { return (pending, []) }
        return (pending, responses.begin(response))
    }

    /// A response is in the store, or nil where its notification was removed before that.
    mutating func responseStored(
        _ pending: PendingResponse, _ stored: NotificationResponse?, now: ClockReading
    ) -> [EngineEffect] {
        guard let stored, pending.isWanted else {
            responses.abandon(pending.response.id)
            return []
        }
        if pending.isHeld { return responseHeld(stored) }
        return changes.answered(pending.key, stored.action)
            + responseRecorded(stored, startingApp: pending.startsApp, now: now)
    }

    /// A popup was closed, and a person may have done it.
    ///
    /// Some servers take all popups of an app away when one of its processes that posted by itself
    /// leaves, and say of each that the person dismissed it. What follows a departure at once is
    /// therefore no answer; the notification stays delivered.
    ///
    /// Source: gnome-shell 46, js/ui/notificationDaemon.js, `_onNameVanished`.
    mutating func popupClosed(
        _ key: NotificationKey, byPerson isCertain: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let left = departures[key.app].map { now.boot - $0 <= Self.departureSpan } ?? false
        return popupReported(
            key, isCertain || !left ? .response(.dismiss, activationToken: nil) : .expired)
    }

    /// The answer that the end of a text dialog means; nil leaves the notification unanswered.
    ///
    /// Where no dialog can be shown, the response has no text. A closed dialog is a dismissal only
    /// where somebody waits for the answer and the category tells of dismissals.
    func answer(
        _ result: Result<DialogAnswer, NotificationError>, to action: String,
        of notification: DeliveredNotification
    ) -> NotificationResponse.Action? {
        switch result {
        case .success(.accepted(let text)):
            // D-Bus carries no NUL, and text that another program printed may have one.
            let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            return .reply(action, text: String(String.UnicodeScalarView(scalars)))
        case .success:
            let options = category(of: notification)?.options ?? []
            let isHeard =
                options.contains(.customDismissAction)
                && !responses.sessions(waitingFor: notification.key).isEmpty
            return isHeard ? .dismiss : nil
        case .failure: return .custom(action)
        }
    }

    /// The user asks for the app's own settings from one of its popups.
    func settingsRequested(from key: NotificationKey) -> [EngineEffect] {
        // Another popup of the key may be on its way, and not stored as delivered yet.
        let shown = deliveries.values.first { $0.key == key }?.notification
        return [.openSettings(key, settingsSession(of: key.app), shown: shown)]
    }

    /// A popup went with its server; the next one with a list shows it again.
    func popupLost(_ key: NotificationKey) -> [EngineEffect] {
        presenterKeepsList ? [] : popupGone(key)
    }

    /// No server takes an answer to a notification any more, and none will.
    ///
    /// A popup that only moves into a server's list has not gone: its server says nothing then. What
    /// a server calls closed nobody can answer, also where it is still listed (Plasma until 6.3).
    func popupGone(_ key: NotificationKey) -> [EngineEffect] {
        responses.sessions(waitingFor: key).map { .tellLeft($0, key) }
    }

    private mutating func noteDeparture(of app: ApplicationID, now: ClockReading) {
        departures = departures.filter { now.boot - $0.value <= Self.departureSpan }
        // The tool's commands come and go all the time, and what they post names no desktop file.
        if app != .tocsin { departures[app] = now.boot }
    }
}

extension ApplicationIdentity {
    /// Whether it says what the app is called.
    var isDescribed: Bool { !name.isEmpty }

    /// The same app as it connects, with what is known of it from before.
    ///
    /// Who followed the rule of permission once goes on to: another client may speak for the app
    /// without knowing.
    func completed(by known: ApplicationIdentity?) -> ApplicationIdentity {
        guard let known else { return self }
        var identity = name.isEmpty ? known.started(by: self) : self
        if known.needsPermission { identity.needsPermission = true }
        return identity
    }

    /// The same app, started by the program of another connection where that names one.
    func started(by other: ApplicationIdentity) -> ApplicationIdentity {
        guard !other.executable.isEmpty else { return self }
        var identity = self
        identity.executable = other.executable
        identity.arguments = other.arguments
        identity.directory = other.directory
        identity.startsInBackground = other.startsInBackground
        return identity
    }
}
