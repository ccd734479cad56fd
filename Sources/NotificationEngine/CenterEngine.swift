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
    var state = EngineState()
    var listeners: [ServiceSession: @Sendable (ServiceEvent) -> Void] = [:]
    private var quietWatch: (@Sendable (Bool) -> Void)?
    private var lastAlarms: ClockAlarms?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Opens the store and starts: what is due fires as soon as there is a server.
    public static func start(
        _ configuration: EngineConfiguration, presenter: any NotificationPresenter,
        clock: any EngineClock, reactor: Reactor
    ) async throws(NotificationError) -> CenterEngine {
        let mailbox = ScheduleMailbox()
        let store = try CenterStore(layout: configuration.layout, bootID: clock.now().bootID) {
            mailbox.post($0)
        }
        let engine = CenterEngine(
            store: store, presenter: presenter, clock: clock, reactor: reactor,
            configuration: configuration)
        mailbox.open { [weak engine] head in
            guard let engine else { return }
            engine.enter { $0.perform($0.state.scheduleChanged(head, now: $0.clock.now())) }
        }
        try await engine.begin()
        return engine
    }

    private init(
        store: CenterStore, presenter: any NotificationPresenter, clock: any EngineClock,
        reactor: Reactor, configuration: EngineConfiguration
    ) {
        self.store = store
        self.presenter = presenter
        self.clock = clock
        self.reactor = reactor
        hosting = configuration.hosting
        version = configuration.version
    }

    /// Hears whenever nobody is connected and nothing is pending or on its way, and when that ends.
    public func watchQuiet(_ watch: @escaping @Sendable (Bool) -> Void) {
        quietWatch = watch
        reportQuiet()
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
        try await store.adoptThisBoot()
        try await store.sweepAttachments()
        for application in try await store.applications() {
            state.applications[application.id] = application
        }
        for (app, category) in try await store.categories(of: nil) {
            state.categories[app, default: [:]][category.identifier] = category
        }
        await presenter.adopt(try await store.popups())
        clock.start { [weak self] event in
            self?.enter { $0.clockReported(event) }
        }
        let left = try await store.leftPresenting()
        await presenter.start { [weak self] event in
            self?.enter { $0.presenterReported(event) }
        }
        if !left.isEmpty {
            perform(state.claimed(left, now: clock.now()))
        }
    }

    private func clockReported(_ event: ClockEvent) {
        perform(state.clockRang(now: clock.now()))
    }

    private func presenterReported(_ event: PresenterEvent) {
        let now = clock.now()
        switch event {
        case .available: perform(state.presenterBecameAvailable(now: now))
        case .unavailable: perform(state.presenterBecameUnavailable(now: now))
        case .backoff(let app, let isWaiting):
            perform(state.backoffChanged(app, isWaiting: isWaiting, now: now))
        case .outcome(let token, let outcome): perform(state.outcome(of: token, outcome))
        case .response(let key, let action, let token):
            perform(state.answered(Answer(key: key, action: action, activationToken: token)))
        case .dismissed(let key):
            perform(state.answered(Answer(key: key, action: .dismiss)))
        case .expired(let key): attempt("a popup's end") { try await $0.forgetPopup(of: key) }
        }
    }

    private func record(_ answer: Answer) {
        Task {
            do {
                let response = try await store.recordResponse(
                    to: answer.key, action: answer.action,
                    activationToken: answer.activationToken)
                if let response { perform(state.responseRecorded(response)) }
            } catch {
                Log.engine.error("a response could not be kept: \(error)")
            }
        }
    }

    func perform(_ effects: [EngineEffect]) {
        for effect in effects { perform(effect) }
        reportQuiet()
    }

    private func perform(_ effect: EngineEffect) {
        switch effect {
        case .claim(let limit, let apps): claim(limit, excluding: apps)
        case .arm(let alarms):
            guard alarms != lastAlarms else { return }
            lastAlarms = alarms
            clock.arm(alarms)
        case .present(let presentations): Task { await presenter.present(presentations) }
        case .ask(let session, let token, let notification):
            listeners[session]?(.willPresent(token, notification))
        case .settle(let token, let claimed, let outcome): settle(token, claimed, outcome)
        case .record(let answer): record(answer)
        case .deliver(let session, let response): listeners[session]?(.response(response))
        case .forgetPopups: attempt("the server's end") { try await $0.forgetPopup(of: nil) }
        }
    }

    private func claim(_ limit: Int, excluding apps: Set<ApplicationID>) {
        Task {
            do {
                let rows = try await store.claim(limit: limit, excluding: apps, now: clock.now())
                perform(state.claimed(rows, now: clock.now()))
            } catch {
                Log.engine.error("due requests cannot be marked, tried again in 1 s: \(error)")
                perform(state.claimFailed(now: clock.now()))
            }
        }
    }

    private func settle(_ token: UInt64, _ claimed: ClaimedRequest, _ outcome: Settlement.Outcome) {
        Task {
            let now = clock.now()
            let next =
                claimed.request.trigger?.repeats == true
                ? await Self.next(after: claimed, now: now) : nil
            do {
                try await store.settle(
                    Settlement(claimed: claimed, outcome: outcome, date: now.wall, next: next))
            } catch {
                Log.engine.error(
                    "the end of \(claimed.request.identifier) cannot be stored: \(error)")
            }
            perform(state.settled(token, now: clock.now()))
        }
    }

    /// Off the actor: calendar arithmetic may take milliseconds, and popups must not wait for it.
    @concurrent
    private nonisolated static func next(
        after claimed: ClaimedRequest, now: ClockReading
    ) async -> DueTime? {
        FireSchedule.next(of: claimed.request.trigger, after: claimed.due, now: now)
    }

    private func attempt(
        _ what: String, _ change: @escaping @Sendable (CenterStore) async throws -> Void
    ) {
        Task {
            do {
                try await change(store)
            } catch {
                Log.engine.error("\(what) could not be stored: \(error)")
            }
        }
    }

    private func reportQuiet() {
        quietWatch?(
            state.sessions.isEmpty && state.flights.isEmpty && state.head == ScheduleHead())
    }
}
