package import NotificationModel
internal import Synchronization

/// A notification server for the engine's tests: records the posts and answers by script.
///
/// It owns the script and the recordings.
///
/// It promises to answer each post by the present script.
///
/// It never shows anything.
package final class RecordingPresenter: NotificationPresenter {
    /// The scripted answer to a presentation.
    package enum Answer: Sendable {
        /// Shown, with the next id.
        case present
        /// No answer yet: `answer(_:)` gives it later.
        case hold
        /// This outcome.
        case outcome(PresentationOutcome)
    }

    private struct State {
        var listener: (@Sendable (PresenterEvent) -> Void)?
        var isAvailable: Bool
        var script: @Sendable (Presentation) -> Answer = { _ in .present }
        var lastID: UInt32 = 0
        var capabilities = ["actions", "body"]
        var server = ":1.1"
        var isInhibited: Bool?
    }

    private let state: Mutex<State>
    /// The presentations posted, in order.
    package let presentations = Recording<Presentation>()
    /// The notifications that were withdrawn, or whose popups were closed, in order.
    package let withdrawn = Recording<NotificationKey>()
    /// One entry for each request of the engine to close its oldest popup.
    package let roomRequests = Recording<Void>()
    /// The numbers on icons, in order, as `app count`.
    package let badges = Recording<String>()
    /// The popups that each engine handed over at its start.
    package let adopted = Recording<[NotificationKey: PresentedPopup]>()

    package init(isAvailable: Bool = true) {
        state = Mutex(State(isAvailable: isAvailable))
    }

    // MARK: NotificationPresenter

    package func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        let isAvailable = state.withLock { state in
            state.listener = listener
            return state.isAvailable
        }
        if isAvailable { listener(.available) }
    }

    package func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        adopted.append(popups)
    }

    package func post(_ presentations: [Presentation]) {
        for presentation in presentations {
            let answer = state.withLock { state in
                state.isAvailable ? state.script(presentation) : .outcome(.unavailable)
            }
            self.presentations.append(presentation)
            switch answer {
            case .present: self.answer(presentation)
            case .hold: break
            case .outcome(let outcome): self.answer(presentation, outcome)
            }
        }
    }

    package func withdraw(_ keys: [NotificationKey]) {
        for key in keys { withdrawn.append(key) }
    }

    package func closePopups(of keys: [NotificationKey]) {
        for key in keys { withdrawn.append(key) }
    }

    package func closeOldest() {
        roomRequests.append(())
    }

    package func setBadge(_ count: Int, of app: ApplicationID) {
        badges.append("\(app) \(count)")
    }

    package func status() async -> PresenterStatus {
        PresenterStatus(
            isAvailable: state.withLock { $0.isAvailable }, name: "recording",
            capabilities: state.withLock { $0.capabilities },
            isInhibited: state.withLock { $0.isInhibited })
    }

    // MARK: The script

    /// Sets the script for all later presentations.
    package func answers(with script: @escaping @Sendable (Presentation) -> Answer) {
        state.withLock { $0.script = script }
    }

    /// Sets the capabilities that `status()` reports.
    package func announces(_ capabilities: [String]) {
        state.withLock { $0.capabilities = capabilities }
    }

    /// Turns Do Not Disturb on or off.
    package func inhibits(_ isInhibited: Bool) {
        state.withLock { $0.isInhibited = isInhibited }
    }

    /// Reports the outcome of a held presentation; by default, the popup is shown.
    package func answer(_ presentation: Presentation, _ outcome: PresentationOutcome? = nil) {
        let shown = state.withLock { state in
            state.lastID += 1
            return PresentationOutcome.presented(
                PresentedPopup(
                    id: state.lastID, server: state.server, isHidden: presentation.isHiddenByLock))
        }
        emit(.outcome(token: presentation.token, outcome ?? shown))
    }

    /// Starts a new server; if `isPersistent` has a value, the server reports that value.
    package func becomeAvailable(isPersistent: Bool? = nil) {
        state.withLock { state in
            state.isAvailable = true
            state.server += "1"
            state.lastID = 0
        }
        emit(.available)
        if let isPersistent { emit(.serverIdentified(isPersistent: isPersistent)) }
    }

    /// Ends the server.
    package func becomeUnavailable() {
        state.withLock { $0.isAvailable = false }
        emit(.unavailable)
    }

    /// Sends the user's response.
    package func respond(
        _ key: NotificationKey, _ action: NotificationResponse.Action = .standard,
        activationToken: String? = nil
    ) {
        emit(.response(key, action, activationToken: activationToken))
    }

    /// Sends an event to the listener.
    package func emit(_ event: PresenterEvent) {
        state.withLock { $0.listener }?(event)
    }

    /// The titles of the presentations, in order.
    package var titles: [String] {
        presentations.all.map(\.notification.request.content.title)
    }
}
