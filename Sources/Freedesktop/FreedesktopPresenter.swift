public import DesktopBus
public import NotificationModel
internal import Reactor

/// Shows notifications on the desktop's own server and reports what people answer.
///
/// One long-lived connection posts and listens, because some servers tell only the sender and
/// others take the popups of a sender that leaves. A signal counts only from the present owner of
/// the name.
public actor FreedesktopPresenter: NotificationPresenter {
    /// How long a server may take to answer `Notify`.
    static let postTimeout: Duration = .seconds(30)
    /// How long the signals of one click may be apart.
    static let settlingPause: Duration = .milliseconds(200)

    /// How many signals that came before their post's answer are kept.
    static let earlySignalLimit = 256

    private let connection: BusConnection
    private let reactor: Reactor
    private var listener: (@Sendable (PresenterEvent) -> Void)?
    private var subscriptions: [BusSubscription] = []
    private var busID = ""
    private var owner: BusName?
    private var server: ServerInformation?
    private var meeting: Task<Void, Never>?
    private var isActivatable = false
    private var adopted: [NotificationKey: PresentedPopup] = [:]
    private var held: [Presentation] = []
    private var withdrawnInFlight: Set<NotificationKey> = []
    private var router = SignalRouter()
    private var queue = PostQueue()
    private var earlySignals: [BusSignal] = []
    private var laneDeadlines: [ApplicationID: Deadline] = [:]

    /// The presenter runs on the thread of its connection.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Makes a presenter that uses an open connection.
    public init(connection: BusConnection) {
        self.connection = connection
        reactor = connection.reactor
    }

    /// Listens to the server and to who the server is.
    public func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        self.listener = listener
        do {
            // Before the first post, or the answer to it might be missed.
            let rule = MatchRule(
                path: NotificationsInterface.path, interface: NotificationsInterface.interface)
            subscriptions.append(
                try await connection.subscribe(rule) { [weak self] signal in
                    self?.assumeIsolated { $0.received(signal) }
                })
            subscriptions.append(
                try await connection.watchOwner(of: NotificationsInterface.busName) {
                    [weak self] owner in
                    self?.enter { $0.ownerChanged(to: owner) }
                })
        } catch {
            listener(.unavailable)
        }
    }

    /// Takes over popups that an earlier run left on the screen of the same server.
    public func adopt(_ popups: [NotificationKey: PresentedPopup]) async {
        adopted = popups
        adoptPopups()
    }

    /// Shows these, in order.
    public func present(_ presentations: [Presentation]) async {
        guard server != nil else {
            held += presentations
            return await startServer()
        }
        for presentation in presentations { perform(queue.enqueue(presentation)) }
    }

    /// Takes popups away.
    public func withdraw(_ keys: [NotificationKey]) async {
        for key in keys {
            if queue.isInFlight(key) { withdrawnInFlight.insert(key) }
            perform(router.withdraw(key))
        }
    }

    /// What is known of the server.
    public func status() async -> PresenterStatus {
        // A server that has just appeared, or is just being started, counts.
        await meeting?.value
        return server?.status ?? PresenterStatus(isAvailable: false)
    }

    private nonisolated func enter(
        _ work: @escaping @Sendable (isolated FreedesktopPresenter) -> Void
    ) {
        if reactor.isCurrent {
            assumeIsolated { work($0) }
        } else {
            reactor.perform { self.assumeIsolated { work($0) } }
        }
    }
}

// MARK: - The server

extension FreedesktopPresenter {
    private func ownerChanged(to owner: BusName?) {
        if self.owner != nil { serverGone() }
        self.owner = owner
        meeting = Task {
            if let owner { await meet(owner) } else { await lookForServer() }
        }
    }

    /// Asks a new server what it can do; what it cannot answer in time is taken as nothing.
    private func meet(_ owner: BusName) async {
        async let information = ask("GetServerInformation")
        async let capabilities = ask("GetCapabilities")
        async let bus = connection.call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "GetId"))
        let found = ServerInformation(
            information: await information, capabilities: await capabilities)
        let id = (try? await bus)?.arguments.first?.stringValue ?? ""
        guard self.owner == owner else { return }
        busID = id
        server = found
        queue = PostQueue(isCareful: found.quirks.refusesBursts)
        adoptPopups()
        listener?(.available)
        let waiting = held
        held = []
        for presentation in waiting { perform(queue.enqueue(presentation)) }
    }

    private func ask(_ member: MemberName) async -> [BusValue] {
        let reply = try? await connection.call(
            NotificationsInterface.call(member), timeout: .seconds(5))
        return reply?.arguments ?? []
    }

    private func adoptPopups() {
        guard server != nil else { return }
        for (key, popup) in adopted where popup.server == serverName {
            _ = router.posted(key, id: popup.id)
        }
        adopted = [:]
    }

    /// Unique only together with the bus: another bus has its own `:1.5`.
    private var serverName: String { "\(busID)/\(owner?.rawValue ?? "")" }

    private func serverGone() {
        server = nil
        router.serverGone()
        withdrawnInFlight = []
        earlySignals = []
        laneDeadlines = [:]
        let unsent = queue.serverGone()
        listener?(.unavailable)
        for presentation in unsent { report(presentation, .unavailable) }
    }

    /// A server that the bus can start is as good as one that runs.
    private func lookForServer() async {
        isActivatable =
            (try? await connection.isActivatable(NotificationsInterface.busName)) ?? false
        guard owner == nil, isActivatable else { return }
        await startServer()
    }

    private func startServer() async {
        if isActivatable {
            do {
                try await connection.startService(NotificationsInterface.busName)
                return
            } catch {
                // It cannot be started here (no display, say): as if there were none, until one
                // appears by itself.
                isActivatable = false
            }
        }
        guard owner == nil else { return }
        let waiting = held
        held = []
        for presentation in waiting { report(presentation, .unavailable) }
    }
}

// MARK: - Posting

extension FreedesktopPresenter {
    private func perform(_ effects: [PostQueue.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let presentation): post(presentation)
            case .backoff(let app, let isWaiting): listener?(.backoff(app, isWaiting: isWaiting))
            case .resume(let app, let milliseconds): resume(app, after: .milliseconds(milliseconds))
            case .closeOldest:
                if let id = router.oldest { close(id) }
            }
        }
    }

    private func resume(_ app: ApplicationID, after pause: Duration) {
        laneDeadlines[app] = reactor.deadline(after: pause) { [weak self] in
            self?.assumeIsolated { presenter in
                presenter.laneDeadlines[app] = nil
                presenter.perform(presenter.queue.pauseEnded(app))
            }
        }
    }

    private func post(_ presentation: Presentation) {
        guard let server, let owner else { return report(presentation, .unavailable) }
        let key = presentation.notification.key
        let arguments = NotifyArguments(
            presentation, for: server, replacing: router.id(of: key))
        connection.call(
            NotificationsInterface.call("Notify", arguments.values), timeout: Self.postTimeout
        ) { [weak self] result in
            self?.assumeIsolated { $0.answered(presentation, by: owner, result) }
        }
    }

    private func answered(
        _ presentation: Presentation, by owner: BusName, _ result: Result<BusReply, BusError>
    ) {
        guard owner == self.owner else {
            // Its server has gone: nobody knows whether it was shown.
            return report(presentation, .interrupted)
        }
        switch result {
        case .success(let reply): posted(presentation, reply)
        case .failure(let error):
            switch RefusalTable.verdict(on: error) {
            case .later(let refusal): perform(queue.refused(presentation, refusal))
            case .outcome(let outcome): finish(presentation, outcome)
            }
        }
    }

    private func posted(_ presentation: Presentation, _ reply: BusReply) {
        let key = presentation.notification.key
        guard let id = reply.arguments.first?.uint32Value, id != 0 else {
            // Taken, but without a popup that could answer.
            return finish(presentation, .unanswered)
        }
        let replyAction = server.flatMap {
            ActionKeys.inlineReplyAction(of: presentation.category, server: $0)
        }
        perform(router.posted(key, id: id, replyIdentifier: replyAction?.identifier))
        finish(presentation, .presented(PresentedPopup(id: id, server: serverName)))
        if withdrawnInFlight.remove(key) != nil { perform(router.withdraw(key)) }
    }

    private func finish(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        report(presentation, outcome)
        perform(queue.accepted(presentation))
        replayEarlySignals()
    }

    private func report(_ presentation: Presentation, _ outcome: PresentationOutcome) {
        listener?(.outcome(token: presentation.token, outcome))
    }
}

// MARK: - Signals

extension FreedesktopPresenter {
    private func received(_ signal: BusSignal) {
        guard signal.sender == owner, let id = signal.arguments.first?.uint32Value else { return }
        guard router.knows(id) else { return keepEarly(signal) }
        let second = signal.arguments.dropFirst().first
        switch signal.member {
        case "ActionInvoked":
            perform(router.actionInvoked(id, key: second?.stringValue ?? ""))
        case "NotificationReplied":
            perform(router.replied(id, text: second?.stringValue ?? ""))
        case "ActivationToken":
            if let token = second?.stringValue { router.received(token: token, for: id) }
        case "NotificationClosed":
            // One server once sent the reason as a signed number.
            let reason = second?.uint32Value ?? second?.int32Value.flatMap { UInt32(exactly: $0) }
            perform(router.closed(id, reason: reason ?? 4))
        default: break
        }
    }

    /// A server may tell of a click before it answers the post that showed the popup.
    private func keepEarly(_ signal: BusSignal) {
        guard queue.hasPostsInFlight, earlySignals.count < Self.earlySignalLimit else { return }
        earlySignals.append(signal)
    }

    private func replayEarlySignals() {
        let signals = earlySignals
        earlySignals = []
        for signal in signals { received(signal) }
    }

    private func perform(_ effects: [SignalRouter.Effect]) {
        for effect in effects {
            switch effect {
            case .respond(let key, let action, let token):
                listener?(.response(key, action, activationToken: token))
            case .dismissed(let key): listener?(.dismissed(key))
            case .expired(let key): listener?(.expired(key))
            case .close(let id): close(id)
            case .roomMade: perform(queue.roomMade())
            case .settleLater(let id): settleLater(id)
            }
        }
    }

    private func settleLater(_ id: UInt32) {
        reactor.deadline(after: Self.settlingPause) { [weak self, owner] in
            self?.assumeIsolated { presenter in
                guard presenter.owner == owner else { return }
                presenter.perform(presenter.router.settle(id))
            }
        }
    }

    private func close(_ id: UInt32) {
        // An answer would tell nothing new: some servers answer with an error for a popup that
        // has gone by itself.
        connection.call(
            NotificationsInterface.call("CloseNotification", [.uint32(id)])
        ) { _ in }
    }
}
