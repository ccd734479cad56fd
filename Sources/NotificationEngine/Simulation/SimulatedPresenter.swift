import NotificationModel
internal import Reactor

/// A notification server that shows everything at once and that nobody answers.
final class SimulatedPresenter: NotificationPresenter {
    /// In a structure: a bare closure gets another wrapper each time it is read through a generic.
    private struct State {
        var listener: (@Sendable (PresenterEvent) -> Void)?
    }

    private let state = Guarded(State())

    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        state.withLock { $0.listener = listener }
        listener(.available)
    }

    func adopt(_ popups: [NotificationKey: PresentedPopup]) async {}

    func present(_ presentations: [Presentation]) async {
        guard let listener = state.withLock({ $0.listener }) else { return }
        // Without a popup, or every one would be kept for an answer.
        for presentation in presentations {
            listener(.outcome(token: presentation.token, .listed))
        }
    }

    func withdraw(_ keys: [NotificationKey]) async {}

    func setBadge(_ count: Int, of app: ApplicationID) async {}

    func status() async -> PresenterStatus {
        PresenterStatus(isAvailable: true, name: "simulated")
    }
}
