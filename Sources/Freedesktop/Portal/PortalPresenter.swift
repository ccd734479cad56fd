public import DesktopBus
public import NotificationModel
internal import Reactor

/// Shows notifications through the desktop's portal, as programs in a sandbox have to.
///
/// The portal says less than a notification server: not whether something is on the screen, when
/// it leaves, or that a person dismissed it. It tells clicks only to the connection that asked for
/// the notification, while that is on the bus; one that comes later raises or starts the app.
///
/// A portal that the bus can start counts as available; it is started by the first notification.
public actor PortalPresenter: NotificationPresenter {
    let connection: BusConnection
    let reactor: Reactor
    /// Reads pictures and sounds.
    let files: HangingWork
    let pauses: Pauses
    var listener: (@Sendable (PresenterEvent) -> Void)?
    var subscriptions: [BusSubscription] = []

    // The portal.
    let service: ServiceFollower
    var owner: BusName?
    var information: PortalInformation?
    var isAnnounced: Bool?

    // The notifications.
    var held = SerialDrain<Presentation>()
    var flights: [UInt64: PortalFlight] = [:]
    /// The last number that stands for an id, which a portal does not give.
    var lastNumber: UInt32 = 0
    /// What may be on the screen and was not answered.
    var posted: Set<NotificationKey> = []
    var interruptions = Interruptions()
    var badges = LauncherBadges()

    /// The presenter runs on the thread of its connection.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Makes a presenter that uses an open connection.
    public init(connection: BusConnection) {
        self.init(connection: connection, pauses: Pauses())
    }

    init(connection: BusConnection, pauses: Pauses) {
        self.connection = connection
        self.pauses = pauses
        service = ServiceFollower(
            PortalInterface.busName, on: connection, backoff: pauses.startBackoff)
        reactor = connection.reactor
        files = HangingWork(reactor: connection.reactor)
    }

    /// Listens to the portal and to who it is.
    public func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        await connection.onStateChange { [weak self] state in
            guard case .connected = state else { return }
            self?.assumeIsolated { $0.busReturned() }
        }
        await listen()
    }

    /// Takes over notifications of an earlier run: they can be replaced and removed.
    public func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        posted.formUnion(popups.keys)
    }

    /// Shows these, in order.
    public func present(_ presentations: [Presentation]) async {
        held.waiting += presentations
        serveHeld()
    }

    /// Takes notifications away, and what is not shown yet.
    public func withdraw(_ keys: [NotificationKey]) async {
        let wanted = Set(keys)
        giveBack { wanted.contains($0.notification.key) }
        for (token, flight) in flights where wanted.contains(flight.key) {
            flights[token]?.isWithdrawn = true
        }
        for key in keys where posted.remove(key) != nil { remove(key) }
    }

    /// Takes away notifications that are no longer delivered; what is not shown yet stays.
    public func closePopups(of keys: [NotificationKey]) async {
        let replaced = Set(flights.values.map(\.key))
        // The portal knows a notification by its key: to remove it now could remove its successor.
        for key in keys where !replaced.contains(key) && posted.remove(key) != nil { remove(key) }
    }

    /// Gives up what the portal was not asked for.
    public func recall(_ tokens: [UInt64]) async {
        let wanted = Set(tokens)
        giveBack { wanted.contains($0.token) }
    }

    /// Sets the number on an app's icon; 0 removes it.
    ///
    /// The portal has none; docks hear of it where the sandbox lets that through.
    public func setBadge(_ count: Int, of app: ApplicationID) async {
        tell(badges.set(count, of: app))
    }

    /// What is known of the portal; one that has never been asked is started for it.
    public func status() async -> PresenterStatus {
        var status =
            isAnnounced == true
            ? await knowledge()?.status ?? PresenterStatus(isAvailable: false)
            : PresenterStatus(isAvailable: false)
        status.isPortal = true
        status.showsBadges = badges.isDrawn
        return status
    }

    func tell(_ updates: [LauncherBadges.Update]) {
        connection.assumeIsolated { $0.tell(updates) }
    }

    func report(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        listener?(.outcome(token: presentation.token, outcome))
    }

    private func giveBack(where isWanted: (Presentation) -> Bool) {
        let unsent = held.waiting.filter(isWanted)
        held.waiting.removeAll(where: isWanted)
        for presentation in unsent { report(presentation, FreedesktopPresenter.withdrawn) }
    }
}
