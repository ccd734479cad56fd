import NotificationModel
internal import NotificationStore

/// Hands each response to one connected process of its app, in order, until it is acknowledged.
extension EngineState {
    /// The time after a disconnect in which it may close the app's popups, in microseconds.
    private static let departureSpan: Int64 = 1_000_000

    /// Opens a session; `replay` hands it the stored responses.
    mutating func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>? = nil
    ) -> ServiceSession {
        if application.isDescribed { change(application.id) { $0.identity = application } }
        let session = ServiceSession(rawValue: nextNumber())
        sessions[session] = Session(
            app: application.id, asksBeforePresenting: asksBeforePresenting,
            identifiers: identifiers)
        return session
    }

    /// Changes the options of a session.
    mutating func change(_ session: ServiceSession, _ body: (inout Session) -> Void) {
        guard var changed = sessions[session] else { return }
        body(&changed)
        sessions[session] = changed
    }

    /// Hands a new session the stored responses of its app that no other session has.
    mutating func replay(
        _ stored: [NotificationResponse], to session: ServiceSession
    ) -> [EngineEffect] {
        guard let state = sessions[session] else { return [] }
        sessions[session]?.isReplaying = false
        sessions[session]?.waiting = []
        let inHand = Set(
            sessions.values.filter { $0.app == state.app }
                .flatMap { $0.outstanding.map(\.id) + $0.waiting.map(\.id) })
        var all: [Int64: NotificationResponse] = [:]
        for response in stored + state.waiting
        where !inHand.contains(response.id) && state.hears(of: response) {
            all[response.id] = response
        }
        return all.values.sorted { $0.id < $1.id }.flatMap { hand($0, to: session) }
    }

    mutating func responseRecorded(_ response: NotificationResponse) -> [EngineEffect] {
        guard let session = listener(to: response) else { return [] }
        if sessions[session]?.isReplaying == true {
            sessions[session]?.waiting.append(response)
            return []
        }
        return hand(response, to: session)
    }

    /// The newest session that waits for this notification, or else the newest that gets all
    /// responses.
    private func listener(to response: NotificationResponse) -> ServiceSession? {
        let listening = sessions.filter {
            $0.value.app == response.notification.app && $0.value.hears(of: response)
        }
        let waiting = listening.filter { $0.value.identifiers != nil }
        return (waiting.isEmpty ? listening : waiting).keys.max { $0.rawValue < $1.rawValue }
    }

    mutating func acknowledged(_ id: Int64, of app: ApplicationID) {
        for (session, state) in sessions where state.app == app {
            sessions[session]?.outstanding.removeAll { $0.id == id }
            sessions[session]?.waiting.removeAll { $0.id == id }
        }
    }

    /// Ends a session, and shows the notifications that it was asked about.
    ///
    /// Another process of the app gets its unacknowledged responses; otherwise they wait in the
    /// store.
    mutating func disconnect(_ session: ServiceSession, now: ClockReading) -> [EngineEffect] {
        guard let ended = sessions.removeValue(forKey: session) else { return [] }
        noteDeparture(of: ended.app, now: now)
        let asked = deliveries.filter { _, delivery in
            guard case .asking(session, _) = delivery.stage else { return false }
            return true
        }
        let shown =
            present(asked.keys.sorted(), options: .all)
            + extensionsEnded(with: session)
        let kept = (ended.outstanding + ended.waiting).sorted { $0.id < $1.id }
        return shown + kept.flatMap { responseRecorded($0) }
    }

    /// Handles a closed popup, which the user may have dismissed.
    ///
    /// Some servers close all popups of an app when a process of it that posted directly
    /// disconnects. They report each as dismissed by the user.
    ///
    /// So a popup that closes just after a disconnect has no response, and its notification stays
    /// delivered.
    ///
    /// Source: gnome-shell 46, js/ui/notificationDaemon.js, `_onNameVanished`.
    mutating func popupClosed(
        _ key: NotificationKey, byPerson isCertain: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let left = departures[key.app].map { now.boot - $0 <= Self.departureSpan } ?? false
        return popupReported(
            key, isCertain || !left ? .response(.dismiss, activationToken: nil) : .expired)
    }

    /// The sessions that wait for the response to this notification.
    func waiting(for key: NotificationKey) -> [ServiceSession] {
        sessions.filter {
            $0.value.app == key.app && $0.value.identifiers?.contains(key.identifier) == true
        }.keys.sorted { $0.rawValue < $1.rawValue }
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
                options.contains(.customDismissAction) && !waiting(for: notification.key).isEmpty
            return isHeard ? .dismiss : nil
        case .failure: return .custom(action)
        }
    }

    /// Opens the app's own settings, because the user asked for them from a popup.
    func settingsRequested(from key: NotificationKey) -> [EngineEffect] {
        // The popup may belong to a delivery that is not stored yet.
        let shown = deliveries.values.first { $0.key == key }?.notification
        return [.openSettings(key, settingsSession(of: key.app), shown: shown)]
    }

    /// Handles a popup that went with its server, unless the next server shows it again.
    func popupLost(_ key: NotificationKey) -> [EngineEffect] {
        presenterKeepsList ? [] : popupGone(key)
    }

    /// Tells the waiting sessions that no response to this notification can come any more.
    ///
    /// A popup that only moves into a server's list is not gone: the server reports nothing then. A
    /// popup that a server reports as closed takes no response, even if it stays listed (Plasma
    /// until 6.3).
    func popupGone(_ key: NotificationKey) -> [EngineEffect] {
        waiting(for: key).map { .tellLeft($0, key) }
    }

    private mutating func noteDeparture(of app: ApplicationID, now: ClockReading) {
        departures = departures.filter { now.boot - $0.value <= Self.departureSpan }
        // The tool's commands connect and leave all the time, and their posts name no desktop file.
        if app != .tocsin { departures[app] = now.boot }
    }

    private mutating func hand(
        _ response: NotificationResponse, to session: ServiceSession
    ) -> [EngineEffect] {
        sessions[session]?.outstanding.append(response)
        return [.deliver(session, response)]
    }
}

extension ApplicationIdentity {
    /// Whether it states the app's name.
    var isDescribed: Bool { !name.isEmpty }

    /// The identity of a connecting app, completed by its known identity.
    ///
    /// An app that needed permission once still does: another client may speak for it without
    /// knowing.
    func completed(by known: ApplicationIdentity?) -> ApplicationIdentity {
        guard let known else { return self }
        var identity = name.isEmpty ? known.started(by: self) : self
        if known.needsPermission { identity.needsPermission = true }
        return identity
    }

    /// The same app, started by the program of another connection if that one names a program.
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
