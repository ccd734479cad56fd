package import DesktopBus
public import NotificationModel
public import Reactor

/// Shows notifications through the desktop's portal, as programs in a sandbox have to.
///
/// It owns three sets of notifications: waiting, being posted, and perhaps on the screen.
///
/// It promises one outcome for each notification, and posts them in their order. A portal that the
/// bus can start counts as available; the first notification starts the portal.
///
/// It never reports that a notification expired or was dismissed, because the portal does not tell
/// when a notification leaves the screen.
///
/// The portal reports a click only to the connection that posted the notification. After that
/// connection has closed, a click raises or starts the app.
public actor PortalPresenter: NotificationPresenter, ReactorActor, ServicePresenter {
    let connection: BusConnection
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    let files: HangingWork
    /// The language of Tocsin's own texts.
    let language: WordingLanguage
    let timeouts: ServerTimeouts
    var listener: (@Sendable (PresenterEvent) -> Void)?
    var subscriptions: [BusSubscription] = []

    // The portal.
    let service: ServiceFollower
    var owner: BusName?
    var information: PortalInformation?
    var isAnnounced: Bool?

    // The notifications.
    var unsent = SerialDrain<Presentation>()
    var pendingPosts: [UInt64: PendingPortalPost] = [:]
    /// The number of the last popup; the portal gives no ids, so these numbers are the ids.
    var lastNumber: UInt32 = 0
    /// The notifications that may be on the screen, and to which the user has not responded.
    package internal(set) var posted: Set<NotificationKey> = []
    var crashes = CrashCounter()
    var badges = LauncherBadges()

    /// Makes a presenter that uses an open connection.
    package init(
        connection: BusConnection, language: WordingLanguage = .english,
        timeouts: ServerTimeouts = ServerTimeouts()
    ) {
        self.connection = connection
        self.language = language
        self.timeouts = timeouts
        service = ServiceFollower(
            PortalInterface.busName, on: connection, backoff: timeouts.startBackoff)
        reactor = connection.reactor
        files = HangingWork(reactor: connection.reactor)
    }

    /// Starts to follow the portal and its signals; events go to `listener`.
    public func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        await follow()
    }

    /// Takes over the notifications of an earlier run, so that they can be replaced and removed.
    public func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        posted.formUnion(popups.keys)
    }

    /// Posts presentations in order.
    public nonisolated func post(_ presentations: [Presentation]) {
        onReactor {
            $0.unsent.waiting += presentations
            $0.serveHeld()
        }
    }

    /// Removes notifications, even if they are not shown yet.
    public nonisolated func withdraw(_ keys: [NotificationKey]) {
        onReactor { presenter in
            let wanted = Set(keys)
            let unsent = presenter.unsent.waiting.filter { wanted.contains($0.notification.key) }
            presenter.unsent.waiting.removeAll { wanted.contains($0.notification.key) }
            for presentation in unsent {
                presenter.report(presentation, FreedesktopPresenter.withdrawn)
            }
            for (token, pending) in presenter.pendingPosts where wanted.contains(pending.key) {
                presenter.pendingPosts[token]?.isWithdrawn = true
            }
            for key in keys where presenter.posted.remove(key) != nil { presenter.remove(key) }
        }
    }

    /// Removes notifications that left the delivered list; pending posts continue.
    public nonisolated func closePopups(of keys: [NotificationKey]) {
        onReactor { presenter in
            for key in keys where presenter.posted.contains(key) {
                presenter.removeUnlessReplaced(key)
            }
        }
    }

    /// Does nothing, because no portal is known to limit the number of notifications.
    public nonisolated func closeOldest() {}

    /// Sets the number on an app's icon; 0 removes it.
    ///
    /// The portal has no badges; docks get the number if the sandbox lets the signal through.
    public nonisolated func setBadge(_ count: Int, of app: ApplicationID) {
        onReactor { $0.connection.sendBadges($0.badges.set(count, of: app)) }
    }

    /// The state of the portal; if its version is not known yet, this method starts the portal.
    public func status() async -> PresenterStatus {
        let portal = isAnnounced == true ? await knowledge() : nil
        var status = portal?.status ?? PresenterStatus(isAvailable: false)
        status.isPortal = true
        status.showsBadges = badges.isDrawn
        return status
    }

    func report(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        listener?(.outcome(token: presentation.token, outcome))
    }
}
