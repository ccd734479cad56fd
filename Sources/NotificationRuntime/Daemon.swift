internal import CenterInterface
internal import DesktopBus
internal import DesktopIntegration
internal import Logging
internal import NotificationEngine
public import NotificationModel
public import Reactor

/// The per-user notification centre as a process: one engine behind
/// `org.tocsin.NotificationCenter1`.
public struct Daemon: Sendable {
    /// How long the daemon waits for a bus that has gone: then the session may be over, and the
    /// store has to be free for the next one.
    static let busPatience: Duration = .seconds(10)
    /// How long the end of what is on its way is waited for, when the daemon is told to stop.
    static let farewell: Duration = .milliseconds(1_500)
    /// How long a development daemon stays when nobody is connected and nothing is pending.
    static let idleLimit: Duration = .seconds(30)

    private let configuration: Configuration
    private let isDevelopment: Bool

    /// Makes a daemon; a development one has a store of its own and ends when it is idle.
    public init(configuration: Configuration, isDevelopment: Bool) {
        self.configuration = configuration
        self.isDevelopment = isDevelopment
    }

    /// Serves on `reactor` until it is told to stop, until the name is lost to another daemon, or
    /// until the bus has gone for good.
    ///
    /// Without a bus it lets go of the store after `busPatience`, for the daemon of a next session,
    /// and takes it again when the bus is back.
    ///
    /// There is one for a bus, and one for a store: throws `noDaemon` where another has the name,
    /// and `storeLocked` where another session's has the store and keeps it.
    public func run(
        on reactor: Reactor, until stop: StopSignal
    ) async throws(NotificationError) {
        var connection = try await SessionBus.connect(configuration, on: reactor)
        while true {
            try await serve(on: connection, until: stop)
            await connection.close()
            if stop.isRaised { return }
            Log.daemon.notice("the session bus has gone; the store is free until it is back")
            let next = try await PatientOpening.bus(on: reactor).open(mayGoOn: { !stop.isRaised }) {
                () async throws(NotificationError) in
                try await SessionBus.connect(configuration, on: reactor)
            }
            guard let next else { return }
            connection = next
        }
    }

    /// Serves until it is told to stop, or until the bus does not come back.
    private func serve(
        on connection: BusConnection, until stop: StopSignal
    ) async throws(NotificationError) {
        let reactor = connection.reactor
        let layout =
            isDevelopment ? configuration.developmentLayout : configuration.daemonLayout
        let clock = SystemClock(reactor: reactor, environment: configuration.environment)
        let system = SystemBus(environment: configuration.environment, reactor: reactor)
        guard
            let engine = try await engine(
                layout, on: connection, with: system, clock: clock, stop)
        else { return await system.close() }
        let inbox = InboxAdoption(
            path: configuration.inbox, engine: engine, clock: clock, reactor: reactor)
        await inbox.start()
        let systemEvents = SystemEvents(on: system) { [weak clock] in clock?.report($0) }
        // Not waited for: a system bus that hangs must not hold up the start.
        Task { await systemEvents.start() }
        let exporter = ServiceExporter(service: engine, connection: connection)
        try await exporter.start()
        let handOver = try await takeName(on: connection, engine, stop)
        defer { withExtendedLifetime(handOver) {} }
        await watch(connection, engine, stop)
        Log.daemon.info("serving \(layout.directory)")
        await stop.wait()
        // While their callers can still be answered.
        await systemEvents.stop()
        await system.close()
        await inbox.stop()
        await engine.withdrawQuestions()
        await exporter.stop()
        await connection.flush()
        await end(engine, on: reactor)
    }

    /// Watches for what ends the service but a signal.
    private func watch(
        _ connection: BusConnection, _ engine: CenterEngine, _ stop: StopSignal
    ) async {
        let busLoss = Countdown(Self.busPatience, reactor: connection.reactor) { stop.interrupt() }
        await connection.onStateChange { state in
            if case .disconnected = state {
                busLoss.conditionHolds(true)
                OutputPipes.release()
            } else {
                busLoss.conditionHolds(false)
            }
        }
        guard isDevelopment else { return }
        let idleness = Countdown(Self.idleLimit, reactor: connection.reactor) {
            Log.daemon.notice("nobody needs it; the daemon ends")
            stop.raise()
        }
        await engine.watchQuiet { idleness.conditionHolds($0) }
    }

    /// Stores how it ended with what is on its way, unless its server takes too long: then it is
    /// shown again at the next start.
    private func end(_ engine: CenterEngine, on reactor: Reactor) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        Task {
            await engine.stop()
            end.finish()
        }
        reactor.perform { reactor.deadline(after: Self.farewell) { end.finish() } }
        for await _ in ends {}
    }

    /// Takes the name; a development daemon leaves it, and what it holds, to an installed one.
    private func takeName(
        on connection: BusConnection, _ engine: CenterEngine, _ stop: StopSignal
    ) async throws(NotificationError) -> BusSubscription? {
        do throws(BusError) {
            let former = try await connection.owner(of: CenterName.bus)
            try await connection.requestName(
                CenterName.bus, flags: isDevelopment ? .allowReplacement : .replaceExisting
            ) {
                Log.daemon.notice("another daemon has taken the name; this one ends")
                stop.raise()
            }
            guard let former else { return nil }
            let layout = configuration.developmentLayout
            return try await connection.watchOwner(of: former) { owner in
                // It leaves the bus when it has closed its store.
                if owner == nil { Task { await engine.adopt([layout]) } }
            }
        } catch {
            throw NotificationError(
                .noDaemon,
                "The name \(CenterName.bus) cannot be had: \(error.message) Another tocsind may "
                    + "be running for this user; stop it first.")
        }
    }

    /// The engine on its store; nil where the daemon was told to end while it waited for that.
    private func engine(
        _ layout: StoreLayout, on connection: BusConnection, with system: SystemBus,
        clock: SystemClock, _ stop: StopSignal
    ) async throws(NotificationError) -> CenterEngine? {
        if isDevelopment { try await refuseSecond(on: connection) }
        let engine = try await PatientOpening.store(on: connection.reactor).open(
            onWaiting: { Log.daemon.notice("another process has the store; waiting for it") },
            mayGoOn: { () async throws(NotificationError) in
                try await refuseSecond(on: connection)
                return !stop.isRaised
            },
            { () async throws(NotificationError) in
                try await start(layout, on: connection, with: system, clock: clock)
            })
        if !isDevelopment {
            await engine?.adopt(configuration.embeddedLayouts() + [configuration.developmentLayout])
        }
        return engine
    }

    private func refuseSecond(on connection: BusConnection) async throws(NotificationError) {
        let owner: BusName?
        do throws(BusError) {
            owner = try await connection.owner(of: CenterName.bus)
        } catch {
            throw NotificationError(error)
        }
        guard owner == nil else {
            throw NotificationError(
                .noDaemon,
                "A notification centre serves this session already. Stop that tocsind first.")
        }
    }

    private func start(
        _ layout: StoreLayout, on connection: BusConnection, with system: SystemBus,
        clock: SystemClock
    ) async throws(NotificationError) -> CenterEngine {
        let environment = configuration.environment
        var settings = EngineConfiguration(
            layout: layout, hosting: "daemon", version: Version.current)
        settings.surroundings = configuration.surroundings
        if !isDevelopment {
            settings.storeOfApp = { [configuration] in configuration.embeddedLayout(of: $0) }
        }
        settings.extensions = DesktopExtensionPrograms(
            environment: configuration.environment, directory: layout.directory + "/extensions",
            reactor: connection.reactor)
        settings.media = DesktopMediaPrograms.installed(
            environment: environment, reactor: connection.reactor)
        settings.pictureForm = configuration.presenterChoice == .portal ? .png : .pixels
        let session = SessionEnvironment(connection: connection, own: environment)
        settings.preferences = SystemPreferences(connection: connection) {
            await session.current()
        }
        settings.lock = SessionLock(
            sessionBus: connection, environment: environment, userID: configuration.userID
        ) { await system.opened() }
        settings.launcher = DesktopLauncher(connection: connection) { await session.current() }
        return try await CenterEngine.start(
            settings,
            presenter: configuration.presenterChoice.presenter(on: connection) {
                await session.current()
            },
            clock: clock,
            reactor: connection.reactor,
            dialogs: ProgramDialogs(reactor: connection.reactor) { await session.current() })
    }
}
