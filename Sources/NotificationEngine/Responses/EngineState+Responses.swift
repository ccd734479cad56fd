import NotificationModel
internal import NotificationStore

/// Hands each response to one connected process of its app, in order, until it is acknowledged.
extension EngineState {
    /// The time after an app's disconnect in which the server may close its popups because of it,
    /// in microseconds.
    private static let departureSpan: Int64 = 1_000_000

    /// Opens a session; `replay` hands it the stored responses.
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

    /// Ends a session, and shows the notifications that it was asked about.
    ///
    /// Another process of the app gets the session's unacknowledged responses. Without such a
    /// process they wait in the store.
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

    /// Decides which process gets a response, when, and whether its app is started.
    ///
    /// A connected app gets the response while the store writes it. An app that must be started, or
    /// that has to wait for the unlock, gets only a stored response. So does an app with an embedded
    /// engine: if its handler ended the process, the write would end with it.
    mutating func respond(_ response: NotificationResponse) -> (PendingResponse, [EngineEffect]) {
        let notification = response.notification
        let isDeferred = holds(response.action, to: notification)
        let options = category(of: notification)?.options ?? []
        let pending = PendingResponse(
            response: response,
            isWanted: response.action != .dismiss || options.contains(.customDismissAction),
            isDeferred: isDeferred, startsApp: !isDeferred && startsApp(of: notification.key))
        guard pending.isWanted, !isDeferred, !isEmbedded else { return (pending, []) }
        return (pending, responses.startStoring(response))
    }

    /// Handles a stored response; `stored` is nil if its notification was removed before.
    mutating func responseStored(
        _ pending: PendingResponse, _ stored: NotificationResponse?, now: ClockReading
    ) -> [EngineEffect] {
        guard let stored, pending.isWanted else {
            responses.abandon(pending.response.id)
            return []
        }
        if pending.isDeferred { return responseDeferred(stored) }
        return changes.responseEffects(pending.key, stored.action)
            + responseRecorded(stored, startingApp: pending.startsApp, now: now)
    }

    /// Handles a closed popup, which the user may have dismissed.
    ///
    /// Some servers close all popups of an app when a process of the app that posts to the server
    /// itself disconnects. They report each popup as dismissed by the user.
    ///
    /// So an uncertain dismissal just after a disconnect counts as expiry: it is no response.
    ///
    /// Source: gnome-shell 46, js/ui/notificationDaemon.js, `_onNameVanished`.
    mutating func popupClosed(
        _ key: NotificationKey, byPerson isCertain: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let left = departures[key.app].map { now.boot - $0 <= Self.departureSpan } ?? false
        return popupReported(
            key, isCertain || !left ? .response(.dismiss, activationToken: nil) : .expired)
    }

    /// The response from a text dialog with this result; nil for none.
    ///
    /// If no dialog can be shown, the response has no text. A closed dialog is a dismissal only if
    /// a session waits for it and the category has `customDismissAction`.
    func answer(
        _ result: Result<DialogAnswer, NotificationError>, to action: String,
        of notification: DeliveredNotification
    ) -> NotificationResponse.Action? {
        switch result {
        case .success(.accepted(let text)):
            // D-Bus carries no NUL, but the text comes from another program and may have one.
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

    /// Opens the app's own settings, because the user asked for them from a popup.
    func settingsRequested(from key: NotificationKey) -> [EngineEffect] {
        // The popup may belong to a delivery that is not stored yet.
        let shown = shownAttempt(key).flatMap { deliveries[$0]?.notification }
        // A session that only waits for responses cannot show settings.
        let session = responses.newest { $0.app == key.app && $0.identifiers == nil }
        return [.openSettings(key, session, shown: shown)]
    }

    /// Handles a popup that went with its server, unless the next server shows it again.
    func popupLost(_ key: NotificationKey) -> [EngineEffect] {
        isPresenterPersistent ? [] : popupGone(key)
    }

    /// Tells the waiting sessions that no response to this notification can come any more.
    ///
    /// A popup that only moves into a server's list is not gone: the server reports nothing then. A
    /// popup that a server reports as closed takes no response, even if it stays listed (Plasma
    /// until 6.3).
    func popupGone(_ key: NotificationKey) -> [EngineEffect] {
        responses.sessions(waitingFor: key).map { .reportPopupLeft($0, key) }
    }

    private mutating func noteDeparture(of app: ApplicationID, now: ClockReading) {
        departures = departures.filter { now.boot - $0.value <= Self.departureSpan }
        // The tool's commands connect and leave all the time, and their posts name no desktop file.
        if app != .tocsin { departures[app] = now.boot }
    }
}

extension ApplicationIdentity {
    /// Whether it states the app's name.
    var isDescribed: Bool { !name.isEmpty }

    /// The identity of a connecting app, completed by its known identity.
    ///
    /// An app that needed permission once still does: another client may connect for it without
    /// stating the need.
    func completed(by known: ApplicationIdentity?) -> ApplicationIdentity {
        guard let known else { return self }
        var identity = name.isEmpty ? known.started(by: self) : self
        if known.needsPermission { identity.needsPermission = true }
        return identity
    }

    /// The same app, started by the program of `other` if that identity names a program.
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
