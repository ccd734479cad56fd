package import DesktopBus
public import NotificationModel
public import Reactor

/// Shows notifications on the desktop's own server, and reports the user's responses.
///
/// It owns the state of the server, the pending posts, and the popups on the screen. It uses one
/// long-lived connection. Some servers report a click only to the popup's sender, and other servers
/// close the popups of a sender that leaves the bus.
///
/// It promises one outcome for each post, and reports the outcome before any event of the popup. A
/// server that the bus can start counts as available; the first popup starts the server.
///
/// It accepts signals only from the current owner of the name. A call to a former server never
/// reaches a new server.
public actor FreedesktopPresenter: NotificationPresenter, ReactorActor, ServicePresenter {
    enum Phase: Hashable {
        /// The server is being found, started or identified; posts are delayed until the server is
        /// known.
        case identifying
        /// No server runs, and none can be started.
        case absent
        /// No server runs, and the bus can start one.
        case startable
        case known(ServerInformation)
    }

    let connection: BusConnection
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    /// The language of Tocsin's own texts.
    let language: WordingLanguage
    let timeouts: ServerTimeouts
    let files: HangingWork
    /// Returns the environment variables with which a program can open a window in this session.
    let session: @Sendable () async -> [String: String]
    var listener: (@Sendable (PresenterEvent) -> Void)?
    var subscriptions: [BusSubscription] = []

    // The server.
    var owner: BusName?
    /// A client that calls the current owner by its unique name.
    var server: NotificationServer? { owner.map { NotificationServer($0, on: connection) } }
    var phase = Phase.identifying {
        didSet {
            guard !isIdentifying else { return }
            for waiter in identificationWaiters { waiter.finish() }
            identificationWaiters = []
        }
    }
    var identificationWaiters: [AsyncStream<Never>.Continuation] = []
    let service: ServiceFollower
    /// Grows with each change of the server, so that a late answer about a former server is
    /// ignored.
    var step = 0
    /// The last identified server, kept after its end, so that `status` need not start a server.
    var lastKnown: ServerInformation?
    var identifiedAt = ContinuousClock.now
    /// Whether the server did not identify itself in time.
    var isSilent = false
    var isRefreshing = false
    var busID = ""
    var isAnnounced: Bool?
    var adopted: [NotificationKey: PresentedPopup] = [:]
    /// Adopted popups to close when their server is identified.
    var leaving: [PresentedPopup] = []

    // The posts.
    var isResuming = false
    var pendingPosts: [UInt64: PendingPost] = [:]
    var attempts: UInt64 = 0
    var crashes = CrashCounter()
    /// Whether a server ended while posts were unanswered; perhaps a popup crashed it.
    var diedWithPosts = false

    var router = SignalRouter()
    var startupIDs = StartupIDs()
    /// Whether a click without a token from the server gets an id from `startupIDs`.
    var givesStartupIDs = false

    var badges = LauncherBadges()

    /// Makes a presenter on an open connection; by default `session` names no display.
    ///
    /// The presenter reads the session's environment for each new server, because a desktop session
    /// may get its display late.
    package init(
        connection: BusConnection, language: WordingLanguage = .english,
        timeouts: ServerTimeouts = ServerTimeouts(),
        session: @escaping @Sendable () async -> [String: String] = { [:] }
    ) {
        self.connection = connection
        self.language = language
        self.timeouts = timeouts
        self.session = session
        service = ServiceFollower(
            NotificationServer.busName, on: connection, backoff: timeouts.startBackoff)
        reactor = connection.reactor
        files = HangingWork(reactor: reactor)
    }

    /// The notifications with a popup on the screen, according to the server's signals.
    package var popupKeys: Set<NotificationKey> { router.keys }

    /// Starts to follow the server and its signals; events go to `listener`.
    public func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        await follow()
    }

    /// Takes over popups that an earlier run left on the screen of the same server.
    public func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        adopted.merge(popups) { $1 }
        guard case .known(let server) = phase else { return }
        adoptPopups(of: server)
        announceServer(with: server)
    }

    /// Posts presentations in order; while the server is being started or identified, their outcome
    /// is `later`.
    public nonisolated func post(_ presentations: [Presentation]) {
        onReactor { presenter in
            for presentation in presentations { presenter.postOrDelay(presentation) }
        }
    }

    /// Closes the popups of these notifications, even if the server has not answered their posts
    /// yet.
    public nonisolated func withdraw(_ keys: [NotificationKey]) {
        onReactor { presenter in
            presenter.closePosts(of: Set(keys))
            for key in keys { presenter.perform(presenter.router.withdraw(key)) }
        }
    }

    /// Closes the popups of notifications that left the delivered list; pending posts continue.
    public nonisolated func closePopups(of keys: [NotificationKey]) {
        onReactor { presenter in
            for key in keys {
                if let popup = presenter.adopted.removeValue(forKey: key) {
                    presenter.leaving.append(popup)
                }
                presenter.perform(presenter.router.withdraw(key))
            }
            // A post whose timeout has passed counts as shown, so its popup has to be closed.
            presenter.closePosts(of: Set(keys)) { $0.timeout == nil }
        }
    }

    /// Closes the popup that has been on the screen longest.
    public nonisolated func closeOldest() {
        onReactor { $0.perform($0.router.closeOldest()) }
    }

    /// Sets the number on an app's icon; 0 removes it.
    public nonisolated func setBadge(_ count: Int, of app: ApplicationID) {
        onReactor { $0.connection.sendBadges($0.badges.set(count, of: app)) }
    }

    private func closePosts(
        of keys: Set<NotificationKey>, where isMeant: (PendingPost) -> Bool = { _ in true }
    ) {
        for (attempt, post) in pendingPosts where keys.contains(post.key) && isMeant(post) {
            pendingPosts[attempt]?.isWithdrawn = true
        }
    }

    /// The state of the server.
    ///
    /// If no server runs and no server was identified so far, this method starts a server. A server
    /// that is not identified within `serverStart` counts as missing.
    public func status() async -> PresenterStatus {
        if phase == .startable, lastKnown == nil { startServer() }
        await untilIdentified()
        var status =
            switch phase {
            case .known(let server): server.status
            case .startable: lastKnown?.status ?? PresenterStatus(isAvailable: true)
            case .absent, .identifying: PresenterStatus(isAvailable: false)
            }
        status.isInhibited = await isInhibited(status)
        status.showsBadges = badges.isDrawn
        return status
    }

    /// Reports the outcome of a post, after the dismissals of the popups that the post replaces.
    ///
    /// A post that is delayed replaces no popup yet, so an action of a closed popup may still come.
    func report(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        switch outcome {
        case .later: break
        default: perform(router.endDismissals(of: presentation.notification.key))
        }
        listener?(.outcome(token: presentation.token, outcome))
    }

    /// The outcome of a presentation that the engine withdrew before it was shown.
    package static let withdrawn = PresentationOutcome.refused(
        "The notification was withdrawn before it was shown.")
}
