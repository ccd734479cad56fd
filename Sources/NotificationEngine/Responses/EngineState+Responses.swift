import NotificationModel
internal import NotificationStore

/// Hands each response to one connected process of its app.
///
/// If the process disconnects without an acknowledgement, another process gets the response.
extension EngineState {
    /// A server may close the popups of an app within this many microseconds after a process of the
    /// app disconnects.
    private static let departureSpan: Int64 = 1_000_000

    /// Opens a session; `replay` then hands the stored responses to the session.
    mutating func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        handlesResponses: Bool = true, identifiers: Set<String>? = nil
    ) -> ServiceSession {
        if application.isDescribed { change(application.id) { $0.identity = application } }
        let session = ServiceSession(rawValue: nextNumber())
        responses.connect(
            ResponseMachine.Session(
                app: application.id, asksBeforePresenting: asksBeforePresenting,
                handlesResponses: handlesResponses, identifiers: identifiers), as: session)
        return session
    }

    /// Ends a session.
    ///
    /// Notifications that wait for the session's decision about their presentation are shown with
    /// all options.
    ///
    /// Another process of the app gets the session's unacknowledged responses. If the app has no
    /// other process, these responses wait in the store.
    mutating func disconnect(_ session: ServiceSession, now: ClockReading) -> [EngineEffect] {
        guard let app = sessions[session]?.app else { return [] }
        noteDeparture(of: app, now: now)
        let handed = responses.disconnect(session)
        let asked = tokens { $0.asked == session }
        return present(asked, options: .all) + extensionsEnded(with: session) + handed
    }

    // MARK: Responses

    /// Completes a reply whose button is unknown, because an earlier run posted the popup.
    ///
    /// The reply belongs to the first button with a text input: the server has only one text field.
    func withKnownButton(
        _ action: NotificationResponse.Action, of notification: DeliveredNotification
    ) -> NotificationResponse.Action {
        guard case .reply(NotificationResponse.Action.unknownButton, let text) = action,
            let button = category(of: notification)?.actions.first(where: { $0.textInput != nil })
        else { return action }
        return .reply(button.identifier, text: text)
    }

    /// Decides whether and when the app gets a response, and whether to start the app.
    ///
    /// A connected app gets the response while the store still writes the response. An app that
    /// must be started, or whose response waits for the unlock, gets the response after the write.
    /// An embedded engine also writes first, because the app's handler may end the process before
    /// the write is complete.
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

    /// Handles a stored response; `stored` is nil if the notification had been removed.
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
    /// If a process of the app posts to the server itself and then disconnects, some servers close
    /// all popups of the app. They report each popup as dismissed by the user.
    ///
    /// An uncertain dismissal just after a disconnect therefore counts as an expiry, and is no
    /// response.
    ///
    /// Source: gnome-shell 46, js/ui/notificationDaemon.js, `_onNameVanished`.
    mutating func popupClosed(
        _ key: NotificationKey, isCertain: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let left = departures[key.app].map { now.boot - $0 <= Self.departureSpan } ?? false
        return popupReported(
            key, isCertain || !left ? .response(.dismiss, activationToken: nil) : .expired)
    }

    /// The response that follows from the result of a text dialog; nil if there is no response.
    ///
    /// If no dialog can be shown, the response has no text. A closed dialog is a dismissal if the
    /// category has `customDismissAction` and a session waits for the response.
    func answer(
        _ result: Result<DialogAnswer, NotificationError>, to action: String,
        of notification: DeliveredNotification
    ) -> NotificationResponse.Action? {
        switch result {
        case .success(.accepted(let text)):
            // D-Bus cannot carry a NUL, and the text of a dialog program may have one.
            let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            return .reply(action, text: String(String.UnicodeScalarView(scalars)))
        case .success:
            let options = category(of: notification)?.options ?? []
            let isHeard =
                options.contains(.customDismissAction)
                && !responses.sessions(waitingFor: notification.key).isEmpty
            return isHeard ? .dismiss : nil
        case .failure: return .reply(action, text: nil)
        }
    }

    /// Handles a popup that its server lost.
    ///
    /// If the server keeps a list, the popup is restored, and the waiting sessions keep waiting.
    func popupLost(_ key: NotificationKey) -> [EngineEffect] {
        isPresenterPersistent ? [] : popupGone(key)
    }

    /// Tells the waiting sessions that no response to this notification can follow.
    ///
    /// A popup that only moves into the server's list is not reported as closed, so responses can
    /// follow. After the server reports a popup as closed, no response to it can follow. That also
    /// holds for Plasma up to 6.3, which may still list the notification.
    func popupGone(_ key: NotificationKey) -> [EngineEffect] {
        responses.sessions(waitingFor: key).map { .send($0, .popupLeft(key)) }
    }

    private mutating func noteDeparture(of app: ApplicationID, now: ClockReading) {
        departures = departures.filter { now.boot - $0.value <= Self.departureSpan }
        // The tool's commands do not count: they disconnect often, and their posts name no desktop
        // file.
        if app != .tocsin { departures[app] = now.boot }
    }
}

extension ApplicationIdentity {
    var isDescribed: Bool { !name.isEmpty }

    /// The identity of a connecting app, completed by its known identity.
    ///
    /// If the known identity needs permission, the result needs permission too, because another
    /// client may connect for the app without stating the need.
    func completed(by known: ApplicationIdentity?) -> ApplicationIdentity {
        guard let known else { return self }
        var identity = name.isEmpty ? known.started(by: self) : self
        if known.needsPermission { identity.needsPermission = true }
        return identity
    }

    /// This identity with the program of `other`, if `other` names a program.
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
