internal import DesktopBus
internal import Freedesktop
internal import NotificationModel
internal import Reactor

/// Shows an alert as a popup, with the alert's buttons.
///
/// The app's process posts the popup, not the daemon, because an alert ends with its app. The popup
/// names no desktop file. With one, the desktop could hide the popup if the user has turned off the
/// app's notifications.
struct AlertPopup {
    private enum Event: Sendable {
        case outcome(PresentationOutcome)
        case ready
        case answered(NotificationResponse.Action)
        /// The popup left the screen without a response, or its server is gone.
        case left
    }

    /// The pause before the retry of a post whose outcome is `later`.
    private static let retryPause: Duration = .milliseconds(1_100)

    let connection: BusConnection
    let application: ApplicationIdentity
    let environment: [String: String]
    /// The reason why no dialog window shows the alert, and the remedy.
    let dialogFailure: NotificationError

    /// Shows the popup until the user answers or the task is cancelled.
    ///
    /// - Throws: `noServer` if no server runs, or if the server cannot show this alert.
    func answer(to alert: AlertDialog) async throws(NotificationError) -> AlertAnswer {
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        let (outcomes, outcomeSource) = AsyncStream.makeStream(of: Void.self)
        let presenter = FreedesktopPresenter(connection: connection) { [environment] in
            environment
        }
        await connection.onStateChange { state in
            guard case .disconnected = state else { return }
            source.yield(.left)
            outcomeSource.finish()
        }
        await presenter.start { event in
            if case .outcome = event { outcomeSource.yield() }
            if let event = Self.event(event) { source.yield(event) }
        }
        try check(await presenter.status(), for: alert)
        let presentation = Self.presentation(of: alert, application)
        presenter.post([presentation])
        var postCount = 1
        // A second post would replace the first popup, so only a deferred post is repeated.
        var isDeferred = false
        for await event in events {
            switch event {
            case .outcome(.presented): continue
            case .outcome(.later(let delay)):
                isDeferred = true
                if delay != .identifying {
                    connection.reactor.perform(after: Self.retryPause) { source.yield(.ready) }
                }
            case .ready where isDeferred:
                isDeferred = false
                presenter.post([presentation])
                postCount += 1
            case .ready: continue
            case .outcome(.refused(let reason)):
                throw problem("The notification server did not show the popup (\(reason)).")
            case .outcome: throw problem("The notification server did not show the popup.")
            case .answered(.custom(let index)): return AlertAnswer(button: Int(index))
            case .answered(.reply(let index, let text?)):
                return AlertAnswer(button: Int(index), texts: [text])
            case .answered, .left: return AlertAnswer(button: nil)
            }
        }
        // The task was cancelled, because the app dismissed the alert.
        presenter.withdraw([presentation.notification.key])
        // Wait for the server's answers to the posts: only the answers contain the id by which
        // the presenter closes the popup.
        await Task { [postCount] in
            var answered = outcomes.makeAsyncIterator()
            for _ in 0..<postCount { await answered.next() }
        }.value
        withExtendedLifetime(presenter) {}
        await connection.flush()
        return AlertAnswer(button: nil)
    }

    private static func event(_ event: PresenterEvent) -> Event? {
        switch event {
        case .outcome(_, let outcome): .outcome(outcome)
        case .response(_, let action, _): .answered(action)
        case .dismissed, .expired, .lost, .unavailable: .left
        case .ready: .ready
        case .available, .serverMissing, .serverIdentified, .unheard, .openSettings, .roomMade,
            .sound:
            nil
        }
    }

    private func check(
        _ status: PresenterStatus, for alert: AlertDialog
    ) throws(NotificationError) {
        guard status.isAvailable else { throw problem("No notification server runs.") }
        guard status.capabilities.contains("actions") else {
            throw problem("The notification server \(status.name) draws no buttons.")
        }
        guard !alert.fields.isEmpty else { return }
        guard alert.fields.count == 1 else {
            throw problem("A popup has at most one text field, but the alert has more.")
        }
        guard status.capabilities.contains("inline-reply") else {
            throw problem("The notification server \(status.name) has no text field for the alert.")
        }
    }

    private func problem(_ reason: String) -> NotificationError {
        NotificationError(
            .noServer, "The alert cannot be shown. \(reason) \(dialogFailure.message)")
    }

    /// A popup that stays until the user answers, and is shown even while Do Not Disturb is on.
    static func presentation(
        of alert: AlertDialog, _ application: ApplicationIdentity
    ) -> Presentation {
        var application = application
        application.hasDesktopEntry = false
        var content = NotificationContent(title: alert.title, body: alert.text)
        content.desktop = DesktopOptions()
        content.desktop?.expireTimeout = 0
        content.desktop?.urgency = 2
        content.desktop?.isTransient = true
        let input = alert.fields.first.map {
            NotificationAction.TextInput(
                buttonTitle: alert.buttons.first ?? "", placeholder: $0.placeholder)
        }
        let actions = alert.buttons.enumerated().map { index, label in
            NotificationAction(
                identifier: "\(index)", title: label, textInput: index == 0 ? input : nil)
        }
        return Presentation(
            token: 1,
            notification: DeliveredNotification(
                app: application.id, request: NotificationRequest(identifier: "", content: content),
                date: Instant(microseconds: 0)),
            application: application,
            category: NotificationCategory(identifier: "alert", actions: actions),
            options: [.banner, .list], isQuestion: true)
    }
}
