internal import Logging
public import NotificationModel
public import Reactor

/// The notification centre itself: schedules, presents, and routes what people answer.
///
/// One actor on the reactor's thread performs what `EngineState` decides. The database works on
/// its own queue. The engine knows neither D-Bus nor Apple's classes.
public actor CenterEngine {
    private let reactor: Reactor
    let store: CenterStore
    let clock: any EngineClock
    let presenter: any NotificationPresenter
    let hosting: String
    let version: String
    let extensions: (any ExtensionPrograms)?
    let storeOfApp: (@Sendable (ApplicationID) -> StoreLayout)?
    let launcher: (any ApplicationLauncher)?
    let media: (any MediaPrograms)?
    let preferences: (any DesktopPreferences)?
    /// The last work on each app's switch, with what went wrong.
    var turns: [ApplicationID: Task<NotificationError?, Never>] = [:]
    let lock: (any LockSource)?
    /// Whether answers that waited are being handed on.
    var isReleasing = false
    let surroundings: ResourceSurroundings
    let step: @Sendable (EngineStep) -> Void
    private let settled: @Sendable ([Settlement]) -> Void
    var state = EngineState()
    var listeners: [ServiceSession: @Sendable (ServiceEvent) -> Void] = [:]
    var watchers: [ServiceSession: @Sendable (ServiceChange) -> Void] = [:]
    var callOrder = CallOrder()
    var addWindow = AddWindow()
    var addAllowance = AddAllowance()
    let dialogPresenter: (any DialogPresenter)?
    /// The dialogs on the screen.
    var dialogs: [UInt64: Task<Void, Never>] = [:]
    /// Of those, the ones that ask for the text of an answer.
    var textKeys: [UInt64: NotificationKey] = [:]
    /// The calls that wait for a person's permission.
    var permissionWaiters: [UInt64: CheckedContinuation<Result<Bool, NotificationError>, Never>] =
        [:]
    /// How the flight of a token ended.
    private struct End: Sendable {
        var token: UInt64
        var settlement: Settlement
    }

    private var quietWatch: (@Sendable (Bool) -> Void)?
    /// What the clock was set for last; nil where that is not known.
    var lastAlarms: ClockAlarms?
    private var outbox: [Presentation] = []
    private var isLooking = false
    private var isHandingOver = false
    private var ends: [End] = []
    private var isStoringEnds = false
    private var popupEvents: [(NotificationKey, PopupEvent)] = []
    private var isStoringEvents = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []
    /// How often something ended after which an app may have become idle.
    var endCount: UInt64 = 0
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// How many changes of the clock or the app are on their way to the store.
    var changeCount = 0
    var restWaiters: [CheckedContinuation<Void, Never>] = []
    /// What is to be noted and found of popups that were lost, the first under way.
    var restoringSteps: [RestoringStep] = []

    /// The engine runs on its reactor's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Opens the store and starts: what is due fires as soon as there is a server.
    @concurrent
    public static func start(
        _ configuration: EngineConfiguration, presenter: any NotificationPresenter,
        clock: any EngineClock, reactor: Reactor, dialogs: (any DialogPresenter)? = nil
    ) async throws(NotificationError) -> CenterEngine {
        let mailbox = ScheduleMailbox()
        let store = try CenterStore(
            layout: configuration.layout, bootID: clock.now().bootID, limits: configuration.limits,
            isDurable: configuration.isDurable, step: configuration.step
        ) {
            mailbox.post($0)
        }
        let engine = CenterEngine(
            store: store, presenter: presenter, clock: clock, reactor: reactor,
            dialogs: dialogs, configuration: configuration)
        mailbox.open { [weak engine] head in
            engine?.enter { $0.scheduleChanged(head) }
        }
        try await engine.begin()
        return engine
    }

    private init(
        store: CenterStore, presenter: any NotificationPresenter, clock: any EngineClock,
        reactor: Reactor, dialogs: (any DialogPresenter)?, configuration: EngineConfiguration
    ) {
        dialogPresenter = dialogs
        self.store = store
        self.presenter = presenter
        self.clock = clock
        self.reactor = reactor
        hosting = configuration.hosting
        version = configuration.version
        state.isEmbedded = configuration.hosting == "embedded"
        extensions = configuration.extensions
        storeOfApp = configuration.storeOfApp
        launcher = configuration.launcher
        state.launches.isPossible = launcher != nil
        media = configuration.media
        preferences = configuration.preferences
        lock = configuration.lock
        state.hasMedia = media != nil
        state.pictureForm = configuration.pictureForm
        surroundings = configuration.surroundings
        step = configuration.step
        settled = configuration.settled
    }

    /// Hears whenever nobody is connected, nothing is pending or on its way and no popup waits for
    /// an answer, and when that ends.
    public func watchQuiet(_ watch: @escaping @Sendable (Bool) -> Void) {
        quietWatch = watch
        reportQuiet()
    }

    /// Ends in good order, and lets another process have the store.
    ///
    /// Nothing new starts, and how it ended with what is on its way is stored. Later calls fail.
    /// Nothing is lost where the program ends earlier; only what is on its way may be shown again.
    public func stop() async {
        perform(state.stop())
        if !state.isIdle {
            await withCheckedContinuation { stopWaiters.append($0) }
        }
        store.close()
        somethingEnded()
    }

    /// Runs on the actor, at once where this is its thread, otherwise in order of arrival.
    nonisolated func enter(_ work: @escaping @Sendable (isolated CenterEngine) -> Void) {
        if reactor.isCurrent {
            assumeIsolated { work($0) }
        } else {
            reactor.perform { self.assumeIsolated { work($0) } }
        }
    }

    private func begin() async throws(NotificationError) {
        try await store.adoptThisBoot(now: clock.now())
        try await store.sweepAttachments()
        try await followLock()
        try await loadTables()
        await presenter.adopt(try await store.popups())
        // Before the first alarm is set, and before the first popup.
        clock.start { [weak self] event in
            self?.enter { $0.clockReported(event) }
        }
        lastAlarms = nil
        followClocks()
        await presenter.start { [weak self] event in
            self?.enter { $0.presenterReported(event) }
        }
        for (app, count) in try await store.badges() { await presenter.setBadge(count, of: app) }
        try await resumeLaunches()
    }
}

// MARK: - Events

extension CenterEngine {
    /// Looks for due rows when all that is at hand is done: whoever waits for the commit that
    /// reported goes on first, and a burst of commits is one look.
    private func scheduleChanged(_ head: ScheduleHead) {
        state.note(head)
        guard !isLooking else { return }
        isLooking = true
        reactor.deadline(after: .zero) { [weak self] in
            self?.assumeIsolated {
                $0.isLooking = false
                $0.perform($0.state.pump(now: $0.clock.now()))
            }
        }
    }

    private func presenterReported(_ event: PresenterEvent) {
        let now = clock.now()
        switch event {
        case .available: perform(state.presenterBecameAvailable(now: now))
        case .lost(let keys): perform([.losePopups(keys)])
        case .met(let keepsList):
            perform(state.presenterMet(keepsList: keepsList))
            lookAtDesktop()
        case .unavailable: perform(state.presenterBecameUnavailable(now: now))
        case .backoff(let app, let isWaiting):
            perform(state.backoffChanged(app, isWaiting: isWaiting, now: now))
        case .outcome(let token, let outcome):
            step(.presented)
            perform(state.outcome(of: token, outcome, now: now))
        case .response(let key, let action, let token):
            perform(state.popupReported(key, .response(action, activationToken: token)))
        case .dismissed(let key, let isCertain):
            perform(state.popupClosed(key, byPerson: isCertain, now: now))
        case .expired(let key): perform(state.popupReported(key, .expired))
        case .openSettings(let key): openSettings(for: key)
        case .sound(let app, let order): perform(state.soundWanted(order, by: app))
        }
    }
}

// MARK: - Effects

extension CenterEngine {
    func perform(_ effects: [EngineEffect]) {
        // A release build of Swift 6.3 once came back from the store on another thread.
        preconditionIsolated()
        for effect in effects { perform(effect) }
        reportQuiet()
        reportRest()
        if state.isStopping, state.isIdle {
            for waiter in stopWaiters { waiter.resume() }
            stopWaiters = []
        }
    }

    private func perform(_ effect: EngineEffect) {
        switch effect {
        case .claim(let limit, let apps): claim(limit, excluding: apps)
        case .arm(let alarms):
            guard alarms != lastAlarms else { return }
            lastAlarms = alarms
            clock.arm(alarms)
        case .present(let presentations):
            outbox += presentations
            handOver()
        case .makePicture(let token, let order): makePicture(order, token: token)
        case .play(let app, let order): play(order, of: app)
        case .ask(let session, let token, let notification):
            listeners[session]?(.willPresent(token, notification))
        case .extend(let session, let token, let request, let app):
            extend(session, token, request, of: app)
        case .expireExtension(let session, let token): expireExtension(session, token)
        case .endExtension(let token): endExtension(token)
        case .revise(let token, let claimed): revise(token, claimed)
        case .settle(let token, let claimed, let outcome, let date):
            if case .failed(_, let reason) = outcome {
                Log.engine.warning(
                    "\(claimed.request.identifier.quotedForMessage()) was not shown: \(reason)")
            }
            ends.append(
                End(
                    token: token,
                    settlement: Settlement(claimed: claimed, outcome: outcome, date: date)))
            storeEnds()
        case .record(let key, let event):
            popupEvents.append((key, event))
            storeEvents()
        case .deliver(let session, let response): listeners[session]?(.response(response))
        case .tellLeft(let session, let key): listeners[session]?(.left(key))
        case .tell(let session, let change): watchers[session]?(change)
        case .launch(let order): launch(order)
        case .endLaunches(let responses): endLaunches(for: responses)
        case .losePopups(let keys): restoring(.lose(keys))
        case .findLost(let keepsList): restoring(.find(keepsList: keepsList))
        case .findHidden: restoring(.findHidden)
        case .releaseHeld: releaseHeld()
        case .readLost(let restoration, let token): readLost(restoration, token: token)
        case .place(let popup, let restoration, let token):
            place(popup, restoration, token: token)
        case .badge(let app, let count): show(badge: count, of: app)
        case .inspectPresenter(let app, let token): inspectPresenter(for: app, token: token)
        case .withdraw(let key): Task { await presenter.withdraw([key]) }
        case .showDialog(let token, let dialog): showDialog(token: token, dialog)
        case .closeDialog(let token): dialogs[token]?.cancel()
        case .savePermission(let app, let permission): save(permission, of: app)
        case .turnSwitch(let app, let isOn): turn(isOn, switchOf: app)
        case .noteDenial(let app, let desktop): noteDenial(of: app, on: desktop)
        case .answerPermission(let numbers, let result): answer(numbers, result)
        }
    }

    /// One task at a time, because tasks side by side could reach the presenter in another order.
    private func handOver() {
        guard !isHandingOver else { return }
        isHandingOver = true
        Task {
            while !outbox.isEmpty {
                let batch = outbox
                outbox = []
                let (ready, removed) = state.presentable(
                    await counted(await silenced(audible(batch))))
                perform(removed)
                step(.presenting)
                await presenter.present(ready)
            }
            isHandingOver = false
        }
    }

    private func claim(_ limit: Int, excluding apps: Set<ApplicationID>) {
        Task {
            do {
                let rows = try await store.claim(limit: limit, excluding: apps, now: clock.now())
                let ready = await localized(rows)
                perform(state.claimed(ready, now: clock.now()))
            } catch {
                failed(.claim(limit: limit, excluding: apps), error)
            }
        }
    }

    /// One change at a time: what ends while it is on its way to the disk goes into the next.
    private func storeEnds() {
        guard !isStoringEnds else { return }
        isStoringEnds = true
        Task {
            while !ends.isEmpty {
                let batch = ends
                ends = []
                await storeEnds(batch)
            }
            isStoringEnds = false
        }
    }

    private func storeEnds(_ batch: [End]) async {
        let repeats = batch.contains { $0.settlement.repeats }
        let ends = repeats ? await Self.scheduled(batch, now: clock.now()) : batch
        do {
            try await store.settle(ends.map(\.settlement))
            settled(ends.map(\.settlement))
            changed(by: ends.map(\.settlement))
            somethingEnded()
            perform(state.settled(ends.map(\.token), now: clock.now()))
        } catch {
            for end in batch {
                let settlement = end.settlement
                failed(
                    .settle(
                        token: end.token, settlement.claimed, settlement.outcome,
                        date: settlement.date), error)
            }
        }
    }

    /// One task at a time: tasks side by side could hand on answers in another order.
    private func storeEvents() {
        guard !isStoringEvents else { return }
        isStoringEvents = true
        Task {
            while !popupEvents.isEmpty {
                let (key, event) = popupEvents.removeFirst()
                await storeEvent(event, of: key)
            }
            isStoringEvents = false
        }
    }

    private func storeEvent(_ event: PopupEvent, of key: NotificationKey) async {
        do {
            defer { somethingEnded() }
            guard case .response(let action, let token) = event else { return try await left(key) }
            if case .custom(let identifier) = action {
                if try await snooze(key, pressing: identifier) { return }
                if try await askForText(key, identifier, activationToken: token) { return }
            }
            try await store(action, to: key, token)
        } catch {
            failed(.record(key, event), error)
        }
    }

    func failed(_ effect: EngineEffect, _ error: any Error) {
        Log.engine.error("what was shown or is due cannot be stored, tried again in 1 s: \(error)")
        perform(state.storeFailed(effect, now: clock.now()))
    }

    /// Off the actor: calendar arithmetic may take milliseconds, and popups must not wait for it.
    @concurrent
    private nonisolated static func scheduled(_ batch: [End], now: ClockReading) async -> [End] {
        batch.map { end in
            var end = end
            if end.settlement.repeats {
                end.settlement.next = FireSchedule.next(of: end.settlement.claimed, now: now)
            }
            return end
        }
    }

    func reportQuiet() {
        quietWatch?(
            state.sessions.isEmpty && watchers.isEmpty && state.flights.isEmpty
                && state.questions.isEmpty && dialogs.isEmpty && state.launches.waiting.isEmpty
                && state.held.isEmpty && state.head == ScheduleHead())
    }
}
