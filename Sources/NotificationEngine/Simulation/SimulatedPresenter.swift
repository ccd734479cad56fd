import NotificationModel
internal import Reactor

/// A notification server that shows everything at once and that nobody answers.
///
/// On the engine's thread, so that showing costs no change of threads.
actor SimulatedPresenter: NotificationPresenter {
    private let reactor: Reactor
    private var listener: (@Sendable (PresenterEvent) -> Void)?

    /// The engine's thread.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Makes a server on this thread.
    init(reactor: Reactor) {
        self.reactor = reactor
    }

    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        listener(.available)
    }

    func adopt(_ popups: [NotificationKey: PresentedPopup]) async {}

    func present(_ presentations: [Presentation]) async {
        // Without a popup, or every one would be kept for an answer.
        for presentation in presentations {
            listener?(.outcome(token: presentation.token, .listed))
        }
    }

    func withdraw(_ keys: [NotificationKey]) async {}

    func closePopups(of keys: [NotificationKey]) async {}

    func recall(_ tokens: [UInt64]) async {}

    func setBadge(_ count: Int, of app: ApplicationID) async {}

    func status() async -> PresenterStatus {
        PresenterStatus(isAvailable: true, name: "simulated")
    }
}
