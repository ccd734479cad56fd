public import DesktopBus
public import NotificationModel
public import Reactor

/// Shows notifications on the desktop's own server and reports what people answer.
///
/// One long-lived connection posts and listens, because some servers tell only the sender and
/// others take the popups of a sender that leaves. A signal counts only from the present owner of
/// the name, and a call goes only to the server it was meant for.
///
/// A server that the bus can start counts as available; it is started by the first popup.
public actor FreedesktopPresenter: NotificationPresenter, ReactorActor {
    /// How far the server is known.
    enum Phase {
        /// It is being asked for, started, or asked what it can do: what comes meanwhile is held.
        case learning
        /// There is none, and none can be started.
        case absent
        /// The bus would start one.
        case startable
        case known(ServerInformation)
    }

    let connection: BusConnection
    /// The thread of the connection.
    public nonisolated let reactor: Reactor
    let pauses: Pauses
    /// Reads configurations of servers.
    let files: HangingWork
    /// The environment of programs with a window in this session.
    let session: @Sendable () async -> [String: String]
    var listener: (@Sendable (PresenterEvent) -> Void)?
    var subscriptions: [BusSubscription] = []

    // The server.
    var owner: BusName?
    /// The server that owns the name now, under its unique name.
    var server: NotificationServer? { owner.map { NotificationServer($0, on: connection) } }
    var phase = Phase.learning {
        didSet {
            guard !isLearning else { return }
            for learner in learners { learner.finish() }
            learners = []
        }
    }
    /// Callers of `untilLearned`.
    var learners: [AsyncStream<Never>.Continuation] = []
    let service: ServiceFollower
    /// Counts the steps of getting to know servers, so that a late one is recognised.
    var step = 0
    /// Outlives the server: one that can be started has not to be asked again who it is.
    var lastKnown: ServerInformation?
    var learnedAt = ContinuousClock.now
    /// Whether the server did not say who it is.
    var isSilent = false
    var isRefreshing = false
    var busID = ""
    var isAnnounced: Bool?
    var adopted: [NotificationKey: PresentedPopup] = [:]
    /// Adopted popups that go as soon as their server is known.
    var leaving: [PresentedPopup] = []

    // The posts.
    /// Whether posts were wanted later, because the server is being identified.
    var isAwaited = false
    /// Whether these posts are being made.
    var isResuming = false
    var pendingPosts: [UInt64: PendingPost] = [:]
    var attempts: UInt64 = 0
    var interruptions = Interruptions()
    var diedWithPosts = false

    var router = SignalRouter()
    var startupIDs: StartupIDs
    /// Whether clicks without a token of the server's get such an id.
    var givesStartupIDs = false

    var badges = LauncherBadges()

    /// Makes a presenter that uses an open connection; the session's environment is asked for at
    /// each server that comes, because a session may get its display late.
    public init(
        connection: BusConnection, session: @escaping @Sendable () async -> [String: String]
    ) {
        self.init(connection: connection, pauses: Pauses(), session: session)
    }

    init(
        connection: BusConnection, pauses: Pauses, startupIDs: StartupIDs = StartupIDs(),
        session: @escaping @Sendable () async -> [String: String] = { [:] }
    ) {
        self.connection = connection
        self.pauses = pauses
        self.startupIDs = startupIDs
        self.session = session
        service = ServiceFollower(
            NotificationServer.busName, on: connection, backoff: pauses.startBackoff)
        reactor = connection.reactor
        files = HangingWork(reactor: reactor)
    }

    /// Listens to the server and to who the server is.
    public func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        await connection.onStateChange { [weak self] state in
            guard case .connected = state else { return }
            self?.assumeIsolated { $0.busReturned() }
        }
        await listen()
    }

    /// Takes over popups that an earlier run left on the screen of the same server.
    public func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        adopted.merge(popups) { $1 }
        guard case .known(let server) = phase else { return }
        adoptPopups(of: server)
        tellMeeting(with: server)
    }

    /// Shows these, in order, as far as the server is known well enough.
    public nonisolated func post(_ presentations: [Presentation]) {
        onReactor { presenter in
            for presentation in presentations { presenter.postOrDelay(presentation) }
        }
    }

    /// Takes popups away, and closes those that the server is being asked to show.
    public nonisolated func withdraw(_ keys: [NotificationKey]) {
        onReactor { presenter in
            presenter.closePosts(of: Set(keys))
            for key in keys { presenter.perform(presenter.router.withdraw(key)) }
        }
    }

    /// Takes away the popups of notifications that are no longer delivered; posts go on.
    public nonisolated func closePopups(of keys: [NotificationKey]) {
        onReactor { presenter in
            for key in keys {
                if let popup = presenter.adopted.removeValue(forKey: key) {
                    presenter.leaving.append(popup)
                }
                presenter.perform(presenter.router.withdraw(key))
            }
            // A post that nobody waits for any more counts as shown: it is one of these.
            presenter.closePosts(of: Set(keys)) { $0.timeout == nil }
        }
    }

    /// Closes the popup that is longest on the screen.
    public nonisolated func closeOldest() {
        onReactor { $0.perform($0.router.closeOldest()) }
    }

    private func closePosts(
        of keys: Set<NotificationKey>, where isMeant: (PendingPost) -> Bool = { _ in true }
    ) {
        for (attempt, post) in pendingPosts where keys.contains(post.key) && isMeant(post) {
            pendingPosts[attempt]?.isWithdrawn = true
        }
    }

    /// The state of the server; one that has never been asked is started for it.
    ///
    /// One that hangs at its start counts as none after a while.
    public func status() async -> PresenterStatus {
        if case .startable = phase, lastKnown == nil { startServer() }
        await untilLearned()
        var status =
            switch phase {
            case .known(let server): server.status
            case .startable: lastKnown?.status ?? PresenterStatus(isAvailable: true)
            case .absent, .learning: PresenterStatus(isAvailable: false)
            }
        status.isInhibited = await isInhibited(status)
        status.showsBadges = badges.isDrawn
        return status
    }

    func report(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        listener?(.outcome(token: presentation.token, outcome))
    }

    static let withdrawn = PresentationOutcome.refused("It was withdrawn before it was shown.")
}
