internal import Logging
public import NotificationModel
package import NotificationStore
public import Reactor

/// The notification centre: it schedules requests, presents them, and routes responses.
///
/// It owns the store, the listeners of the sessions, and the state. It runs on the reactor's
/// thread; the database has its own queue.
///
/// It performs the effects of `EngineState` in their order. When a call such as `add` succeeds, its
/// change is on disk.
///
/// The decisions are in `EngineState`. The engine uses neither D-Bus nor Apple's classes.
public actor CenterEngine: ReactorActor {
    /// The reactor whose thread runs the engine.
    public nonisolated let reactor: Reactor
    /// The store; while the engine runs, nothing else changes the store.
    package let store: CenterStore
    let clock: any EngineClock
    let presenter: any NotificationPresenter
    let configuration: EngineConfiguration
    /// For each app, the last task that sets the app's desktop switch or stores a denial.
    ///
    /// The task returns the error of setting the switch; nil for success.
    var switchUpdates: [ApplicationID: Task<NotificationError?, Never>] = [:]
    /// When the settings page of an app was last opened, on the boot-time clock in microseconds.
    var openedPages: [ApplicationID: Int64] = [:]
    /// Whether a task is handing the deferred responses to their apps.
    var isReleasing = false
    let files: HangingWork
    var state: EngineState
    var listeners: [ServiceSession: @Sendable (ServiceEvent) -> Void] = [:]
    var watchers: [ServiceSession: @Sendable (ServiceChange) -> Void] = [:]
    var callOrder = KeyedSemaphore<ApplicationID>()
    /// Limits how many `submit` and `removePending` calls of one app wait for the store at a time.
    ///
    /// An app may add or remove thousands of requests; with the limit, the next commit has room for
    /// other apps.
    var addWindow = KeyedSemaphore<ApplicationID>(limit: 256)
    var addAllowance = AddAllowance()
    var knownApps: Set<ApplicationID> = []
    /// This gate is closed while the store forgets unused apps.
    var forgettingGate = AsyncGate<Void>(())
    let dialogPresenter: (any DialogPresenter)?
    /// The tasks of the dialogs on the screen, by the dialogs' tokens.
    var dialogs: [UInt64: Task<Void, Never>] = [:]
    /// The notification of each dialog that asks for a reply, by the dialog's token.
    var textKeys: [UInt64: NotificationKey] = [:]
    var permissionWaiters: [UInt64: Promise<Result<Bool, NotificationError>>] = [:]
    var storeWatch: StoreWatch?
    var storeFailures = StoreFailures()
    var quietWatch: (@Sendable (Bool) -> Void)?
    /// The alarms that are set; nil after an event of the clock, so that equal alarms are set
    /// again.
    var lastAlarms: ClockAlarms?
    var effects = SerialDrain<EngineEffect>()
    private var isAdvancePlanned = false
    /// The deliveries that ended in this iteration of the reactor's loop.
    var settlements: [(token: UInt64, settlement: Settlement)] = []
    var markDeadline: Deadline?
    var popupEvents = SerialDrain<(NotificationKey, PopupEvent)>()
    /// The bus and the unique name of the notification server; nil while no server is identified.
    private(set) var server: String?
    private var stopGate = AsyncGate<Void>()
    var idleWaiters = IdleWaiters()
    /// The row number of the newest delivered notification at the start of an embedded engine; 0 in
    /// the daemon.
    ///
    /// `waitUntilIdle` ignores the popups of earlier runs, because they may have been closed while
    /// the app did not run.
    private(set) var lastRowOfEarlierRun: Int64 = 0
    /// The number of `inBackground` changes that have not ended.
    var changeCount = 0
    /// The callers of `untilAtRest` wait at this gate.
    var restGate = AsyncGate<Void>()
    var restoringSteps = SerialDrain<RestoringStep>()

    /// Opens the store and starts the engine.
    ///
    /// The engine shows due requests when a notification server is available.
    ///
    /// - Throws: `storeLocked` if another process has the store. `storeUnavailable` if the store
    ///   cannot be opened, or if the system has no timer. `noSpace` if the disk is full.
    ///   `limitReached` if the system has no thread for the store.
    @concurrent
    public static func start(
        _ configuration: EngineConfiguration, presenter: any NotificationPresenter,
        clock: any EngineClock, reactor: Reactor, dialogs: (any DialogPresenter)? = nil
    ) async throws(NotificationError) -> CenterEngine {
        // `owner` is set in time: the store reports only after a commit, and `startUp` makes the
        // first commit.
        let owner = Locked(StoreOwner())
        let schedule = FireSchedule(zones: configuration.zones)
        let store = try CenterStore(
            layout: configuration.layout, bootID: clock.now().bootID,
            rules: .engine(schedule),
            limits: configuration.limits,
            isDurable: configuration.isDurable, bus: configuration.bus,
            language: configuration.surroundings.wordingLanguage, now: clock.now().wall,
            onEnd: configuration.storeEnded, step: configuration.step
        ) { head in
            owner.withLock { $0.engine }?.onReactor { $0.scheduleChanged(head) }
        }
        let engine = CenterEngine(
            store: store, presenter: presenter, clock: clock, reactor: reactor,
            dialogs: dialogs, schedule: schedule, configuration: configuration)
        owner.withLock { $0.engine = engine }
        do throws(NotificationError) {
            try await engine.startUp()
        } catch {
            // Close the store: running tasks would keep the engine, and with it the store's lock.
            // Without the close, the store stays marked as open, and the next start would wrongly
            // report that another program removed the log.
            await engine.stop(waiting: .zero)
            throw error
        }
        return engine
    }

    /// Holds the engine that a store reports to; the engine is made after its store.
    private struct StoreOwner {
        weak var engine: CenterEngine?
    }

    /// The range of the random number that precedes an engine's first token.
    ///
    /// Because of the random start, a late answer to a question of an earlier engine matches no
    /// question of this engine. JavaScript's numbers are exact up to 2^53, so the tokens stay below
    /// 2^53.
    private static let firstNumbers: Range<UInt64> = 0..<(1 << 52)

    private init(
        store: CenterStore, presenter: any NotificationPresenter, clock: any EngineClock,
        reactor: Reactor, dialogs: (any DialogPresenter)?, schedule: FireSchedule,
        configuration: EngineConfiguration
    ) {
        self.configuration = configuration
        dialogPresenter = dialogs
        self.store = store
        self.presenter = presenter
        self.clock = clock
        self.reactor = reactor
        files = HangingWork(reactor: reactor)
        state = EngineState(
            schedule: schedule,
            isEmbedded: configuration.hosting == "embedded",
            launchesApps: configuration.launcher != nil,
            hasPreferences: configuration.preferences != nil,
            imageForm: configuration.media == nil ? nil : configuration.imageForm,
            lastNumber: .random(in: Self.firstNumbers))
    }

    /// Calls `watch` now and after each event, with true if nothing needs this engine.
    ///
    /// The engine is needed while it has sessions, watchers, pending dates, deliveries, open
    /// questions, dialogs, waiting starts of apps, or deferred responses. It is also needed while
    /// the user can respond to a popup. With a location source, it is needed for pending regions.
    public func watchQuiet(_ watch: @escaping @Sendable (Bool) -> Void) {
        quietWatch = watch
        reportQuiet()
    }

    /// Stops the engine and closes the store, so that another process can open it.
    ///
    /// No new work starts, running deliveries are settled, open dialogs close, and later calls
    /// fail. The engine waits at most `limit` for the server to answer the posts; nil sets no
    /// limit. If posts are unanswered after that time, the store keeps them with the server's name.
    ///
    /// If the program ends before `stop` returns, nothing is lost, but running deliveries may be
    /// shown again.
    public func stop(waiting limit: Duration? = nil) async {
        perform(state.stop())
        flushMarks()
        // During this wait, the tasks that retry failed changes hand these changes to the store.
        try? await store.untilCommitted()
        if !isFinished {
            if let limit {
                deadline(after: limit) { $0.stopGate.release(()) }
            }
            await stopGate.valuePromise().value()
        }
        if !state.isIdle { await keepUnanswered(by: server) }
        // Close the dialogs before the store: a reply that the user sends later would be lost.
        await withdrawQuestions()
        storeWatch = nil
        clock.stop()
        store.close()
        notifyIdleWaiters()
    }

    /// Whether `stop` has nothing to wait for.
    private var isFinished: Bool { state.isIdle && !popupEvents.isRunning }

    /// Lets the callers of `untilAtRest` and `stop` continue if nothing is left to wait for.
    func reportRest() {
        if restGate.hasWaiters, isAtRest { restGate.release(()) }
        if state.isStopping, isFinished { stopGate.release(()) }
    }

    private func startUp() async throws(NotificationError) {
        let old = try await store.adoptThisBoot(now: clock.now(), keepsUnanswered: true)
        if state.isEmbedded { lastRowOfEarlierRun = try await store.lastNotificationRow() }
        try await store.sweepAttachments()
        try await followLock()
        try await loadTables()
        await presenter.adopt(old.popups.merging(try await store.popups()) { $1 })
        closePopups(of: old.keys)
        // The clock starts before anything can set an alarm or post a popup.
        try clock.start { [weak self] event in
            self?.onReactor { $0.clockReported(event) }
        }
        lastAlarms = nil
        correctDates(.start)
        await presenter.start { [weak self] event in
            self?.onReactor { $0.presenterReported(event) }
        }
        try await showStoredBadges()
        try await resumeLaunches()
        try await followLocation()
        guardStore()
    }
}

// MARK: - Events

extension CenterEngine {
    /// Claims due rows (takes due requests from the store) at the end of this iteration of the
    /// reactor's loop.
    ///
    /// So the callers of the commit continue first, and one claim serves a burst of commits.
    private func scheduleChanged(_ head: ScheduleHead) {
        state.updateHead(head)
        guard !isAdvancePlanned else { return }
        isAdvancePlanned = true
        deadline(after: .zero) {
            $0.isAdvancePlanned = false
            $0.perform($0.state.advance(now: $0.clock.now()))
        }
    }

    private func presenterReported(_ event: PresenterEvent) {
        let now = clock.now()
        switch event {
        case .available: perform(state.presenterBecameAvailable(now: now))
        // No server runs, and only a new post starts a server. So make unanswered posts due again.
        case .serverMissing: settleUnanswered(by: nil)
        case .lost(let keys): enqueueRestoring(.lose(keys))
        case .unheard(let keys, let onlyTypedReplies):
            enqueueRestoring(.findUnheard(keys, onlyTypedReplies: onlyTypedReplies))
        case .serverIdentified(let isPersistent, let server, let isSilent):
            self.server = server
            perform(state.presenterIdentified(isPersistent: isPersistent, isSilent: isSilent))
            settleUnanswered(by: server)
            refreshDesktop()
        case .unavailable:
            server = nil
            perform(state.presenterBecameUnavailable(now: now))
        case .ready(let isCareful):
            perform(state.presenterBecameReady(isCareful: isCareful, now: now))
        case .roomMade: perform(state.roomMade(now: now))
        case .outcome(let token, let outcome):
            configuration.step(.presented)
            perform(state.outcome(of: token, outcome, now: now))
        case .response(let key, let action, let token):
            perform(state.popupReported(key, .response(action, activationToken: token)))
        case .dismissed(let key, let isCertain):
            perform(state.popupClosed(key, isCertain: isCertain, now: now))
        case .expired(let key): perform(state.popupReported(key, .expired))
        case .openSettings(let key, let token): openSettings(from: key, activationToken: token)
        case .sound(let app, let order): play(order, of: app)
        }
    }
}

// MARK: - Effects

extension CenterEngine {
    /// Performs effects in a loop, not recursively: a presenter that answers at once adds effects
    /// during the loop.
    func perform(_ more: [EngineEffect]) {
        // Check the thread, because in a release build of Swift 6.3 a task may return from the
        // store on another thread.
        preconditionIsolated()
        effects.waiting += more
        if effects.startDraining() {
            while effects.isGoingOn() { for effect in effects.removeAll() { perform(effect) } }
        }
        reportQuiet()
        reportRest()
    }

    private func perform(_ effect: EngineEffect) {
        switch effect {
        case .claim(let limit, let apps): claim(limit, excluding: apps)
        case .arm(let alarms):
            guard alarms != lastAlarms else { return }
            lastAlarms = alarms
            clock.arm(alarms)
        case .present(let presentations):
            configuration.step(.presenting)
            for app in Set(presentations.map(\.notification.app)) { readDesktopFile(of: app) }
            let (posts, denied) = state.beginPosts(presentations)
            presenter.post(posts)
            if !denied.isEmpty { perform(denied) }
        case .localize(let app, let rows): localize(rows, of: app)
        case .gather(let token, let app, let needs): gather(needs, of: app, token: token)
        case .send(let session, let event): listeners[session]?(event)
        case .extend(let token, let request, let app): extend(token, request, of: app)
        case .expireExtension(let token):
            Task { await configuration.extensions?.expire(token) }
        case .endExtension(let token):
            Task { await configuration.extensions?.endProgram(token) }
        case .revise(let token, let claimed): revise(token, claimed)
        case .settle(let token, let settlement): storeSettlement(settlement, of: token)
        case .settleUnanswered(let server): settleUnanswered(by: server)
        case .record(let key, let event): storeEvent(event, of: key)
        case .storeResponse(let pending):
            inBackground("a response") { await $0.storeResponse(pending) }
        case .removeUnanswered(let asked):
            inBackground("a closed dialog") { await $0.removeUnanswered(asked) }
        case .removePosted(let meant):
            inBackground("a removal") { await $0.removePosted(meant) }
        case .tell(let session, let change): watchers[session]?(change)
        case .launch(let order): launch(order)
        case .endLaunches(let responses): endLaunches(for: responses)
        case .restoring(let step): enqueueRestoring(step)
        case .resumeRestoring: resumeRestoring()
        case .releaseHeld: releaseHeld()
        case .readLost(let restoration, let token): readLost(restoration, token: token)
        case .place(let popup, let restoration, let token):
            placePopup(popup, restoration, token: token)
        case .badge(let app, let count): show(badge: count, of: app)
        case .storeBadge(let app): storeBadge(of: app)
        case .applyRegions(let changes): applyRegions(changes)
        case .watchStoredRegions: watchStoredRegions()
        case .correctDates(let cause): correctDates(cause)
        case .watchLocation(let need): configuration.location?.watch(need)
        case .inspectPresenter(let app, let token): inspectPresenter(for: app, token: token)
        case .withdraw(let key): presenter.withdraw([key])
        case .closePopups(let keys): closePopups(of: keys)
        case .closeOldest: presenter.closeOldest()
        case .reportSilence(let keys): reportSilence(about: keys)
        case .showDialog(let token, let dialog): showDialog(token: token, dialog)
        case .closeDialog(let token): dialogs[token]?.cancel()
        case .savePermission(let app, let answer, let subject): save(answer, subject, of: app)
        case .setDesktopSwitch(let app, let isOn): setDesktopSwitch(isOn, for: app)
        case .noteDenial(let app, let desktop): noteDenial(of: app, on: desktop)
        case .answerPermission(let numbers, let result): answer(numbers, result)
        }
    }

    private func claim(_ limit: Int, excluding apps: Set<ApplicationID>) {
        Task {
            await retrying(.claim(limit: limit, excluding: apps)) {
                let soon = clock.now().adding(microseconds: EngineState.claimLead)
                let rows = try await store.claim(limit: limit, excluding: apps, now: soon)
                perform(state.rowsClaimed(rows, now: clock.now()))
            }
        }
    }
}
