internal import CenterInterface
public import DesktopBus
internal import DesktopIntegration
internal import Logging
internal import NotificationEngine
public import NotificationModel
import NotificationStore
public import Reactor

/// The per-user notification centre as a process: one engine behind
/// `org.tocsin.NotificationCenter1`.
///
/// While it serves, it has the bus name, the store and an engine. If another process has the store,
/// the daemon waits for the store. If the bus is lost, the daemon releases the store at once, so
/// that the daemon of the next session can open it. After that it waits for the bus, and serves
/// again. A development daemon does not wait for the bus but ends.
public struct Daemon: Sendable {
    /// How long a stopping daemon waits for the bus, and for the server to answer posts.
    static let answerLimit: Duration = .milliseconds(1_000)
    /// How long a stopping daemon waits until deliveries under way are complete and stored.
    static let shutdownTimeout: Duration = .milliseconds(1_500)
    /// How long a development daemon stays while nobody is connected and nothing is pending.
    static let idleLimit: Duration = .seconds(30)
    /// How long a daemon that cannot open its store answers calls with the reason before it ends.
    static let explanation: Duration = .seconds(2)
    /// How long a daemon waits for the replaced daemon to close its store.
    static let handOverLimit: Duration = .seconds(3)

    /// The number of free descriptors that a daemon needs for its start and its first call.
    ///
    /// With fewer descriptors, libdispatch ends the process, or the daemon gets no timer for due
    /// requests.
    private static let descriptorsToStart = 24

    private let configuration: Configuration
    private let isDevelopment: Bool
    private let pushes: (@Sendable (BusConnection) -> any PushTransport)?
    private let layout: StoreLayout
    /// Reports when another process releases the store's lock.
    ///
    /// The daemon makes only this one watch, for all buses that it serves one after another. Each
    /// further watch would leave a thread behind when its bus is lost.
    private let lockWatch: StoreLockWatch

    /// Makes a daemon; a development daemon has its own store and ends when it is idle.
    ///
    /// `pushes` makes the connector that receives remote notifications on a session bus. Only
    /// `tocsind` passes a connector, because this target and the library link no cryptography.
    public init(
        configuration: Configuration, isDevelopment: Bool,
        pushes: (@Sendable (BusConnection) -> any PushTransport)? = nil
    ) {
        self.configuration = configuration
        self.isDevelopment = isDevelopment
        self.pushes = pushes
        layout = isDevelopment ? configuration.developmentLayout : configuration.daemonLayout
        lockWatch = StoreLockWatch(layout)
    }

    /// Serves on `reactor` until `stop` is raised, or another daemon takes the name.
    ///
    /// The daemon takes its name first, and then the store. While the daemon of another session has
    /// the store, callers get the address of that daemon's bus.
    ///
    /// - Throws: `noDaemon` if another daemon has the name or too few descriptors are free; `noBus`
    ///   without a session bus; the store's error if the store cannot be opened or fails later.
    public func run(
        on reactor: Reactor, until stop: StopSignal
    ) async throws(NotificationError) {
        guard Descriptors.areFree(Self.descriptorsToStart) else {
            throw NotificationError(
                .noDaemon,
                """
                The daemon needs to open \(Self.descriptorsToStart) more files, but its limit is \
                \(Descriptors.limit). Raise the limit (ulimit -n; LimitNOFILE= for systemd).
                """)
        }
        var connection = try await connect(on: reactor)
        while true {
            do throws(NotificationError) {
                try await serve(on: connection, until: stop)
            } catch {
                // The bus may disappear before the daemon has its name.
                guard error.code == .noBus else { throw error }
            }
            await connection.close()
            forgetQuickEnds()
            // A development daemon ends here. The next app starts a new daemon, on the session bus
            // of that app.
            if stop.isRaised || isDevelopment { return }
            Log.daemon.notice(
                "the session bus is lost; the daemon has released the store until the bus returns")
            let next = try await RetryingOpen.bus(on: reactor, while: { !stop.isRaised }) {
                () async throws(NotificationError) in
                // Calls of the lost bus may still hold descriptors, and the store needs free
                // descriptors. The bus also disconnects a daemon that cannot receive a message's
                // descriptors.
                guard Descriptors.areFree(Self.descriptorsToStart) else {
                    throw NotificationError(.noBus, "The daemon has too many files open.")
                }
                return try await connect(on: reactor)
            }
            guard let next else { return }
            connection = next
        }
    }

    /// Connects to the session bus.
    ///
    /// `maximumReceivedSize` limits the answers to the daemon's own calls, and signals: the daemon
    /// needs no large ones. The calls of clients have a limit of their own.
    private func connect(on reactor: Reactor) async throws(NotificationError) -> BusConnection {
        try await SessionBus.connect(
            configuration, on: reactor, reconnect: nil, maximumReceivedSize: Limits.call.most)
    }

    /// Deletes the count of quick ends, because this daemon ends for a normal reason.
    ///
    /// A quick end is an end right after the start. The loss of the bus is a normal reason too.
    private func forgetQuickEnds() {
        QuickEndsFile(environment: configuration.environment)?.remove()
    }

    private func serve(
        on connection: BusConnection, until stop: StopSignal
    ) async throws(NotificationError) {
        let exporter = ServiceExporter(connection: connection)
        try await exporter.start()
        let transport = pushes?(connection)
        try await transport?.prepare()
        await connection.onStateChange { state in
            guard case .disconnected = state else { return }
            OutputPipes.release()
            stop.interrupt()
        }
        let former = try await takeName(on: connection, stop)
        let system = SystemBus(environment: configuration.environment, reactor: connection.reactor)
        do throws(NotificationError) {
            try await serve(
                on: connection, through: exporter, transport, after: former, with: system, stop)
        } catch {
            await explain(error, through: exporter, on: connection, stop)
            await system.close()
            throw error
        }
        await system.close()
    }

    private func serve(
        on connection: BusConnection, through exporter: ServiceExporter,
        _ transport: (any PushTransport)?, after former: BusName?, with system: SystemBus,
        _ stop: StopSignal
    ) async throws(NotificationError) {
        let clock = SystemClock(
            reactor: connection.reactor, environment: configuration.environment,
            zones: SystemZones(environment: configuration.environment))
        let failure = Locked<NotificationError?>(nil)
        await pauseAfterQuickEnds(on: connection, exporter, stop)
        let engine = try await engine(
            on: connection, through: exporter, transport, with: system, clock: clock, stop, failure)
        guard let engine else { return await releaseBusName(connection, exporter) }
        let inbox = InboxAdoption(
            path: configuration.inbox, engine: engine, clock: clock, reactor: connection.reactor)
        await inbox.start()
        let systemEvents = SystemEvents(on: system) { [weak clock] in clock?.report($0) }
        // Do not wait for this task: a hanging system bus must not delay the start.
        Task { await systemEvents.start() }
        if let former { await adoptStore(of: former, by: engine, on: connection) }
        await exporter.serve(engine) {
            app throws(NotificationError) in
            try await engine.requirePermission(of: app)
        } report: {
            await engine.record(unsendable: $0, $1)
        }
        do throws(NotificationError) {
            try await transport?.start(engine)
        } catch {
            // The engine already shows popups. Stop it, so that it stores the outcomes.
            await exporter.refuse(error)
            await stopCallers(of: engine, systemEvents, inbox)
            await stopEngine(engine, on: connection)
            throw error
        }
        await endWhenIdle(engine, on: connection, stop)
        Log.daemon.info("serving \(layout.directory)")
        while !stop.isRaised, await connection.uniqueName != nil { await stop.wait() }
        await releaseBusName(connection, exporter)
        // Stop these parts before the exporter. A caller whose question the user has not answered
        // then still gets a reply.
        await stopCallers(of: engine, systemEvents, inbox)
        await exporter.stop()
        await stopEngine(engine, on: connection)
        // If the store failed, end with its error: a new process can reopen the store, but this
        // process would refuse every call.
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Waits if the daemon has repeatedly ended right after its start; a call ends the wait.
    private func pauseAfterQuickEnds(
        on connection: BusConnection, _ exporter: ServiceExporter, _ stop: StopSignal
    ) async {
        guard let file = QuickEndsFile(environment: configuration.environment) else { return }
        let ends = file.read()
        if let pause = ends.pause {
            Log.daemon.warning(
                "the daemon has ended right after its start \(ends.count) times; it waits \(pause) s"
            )
            let countdown = Countdown(.seconds(pause), reactor: connection.reactor) {
                stop.interrupt()
            }
            connection.reactor.perform { countdown.update(isRunning: true) }
            await exporter.onWaitingCall { stop.interrupt() }
            await stop.wait()
            await exporter.onWaitingCall(nil)
            connection.reactor.perform { countdown.update(isRunning: false) }
        }
        file.write(ends)
    }

    /// Releases the name, and sends later callers to the next notification centre.
    private func releaseBusName(_ connection: BusConnection, _ exporter: ServiceExporter) async {
        do throws(BusError) {
            // The exporter still serves calls to the name that arrive before the bus's answer.
            try await connection.releaseName(CenterName.bus, timeout: Self.answerLimit)
        } catch {
            Log.daemon.debug("the bus did not release the daemon's name: \(error.message)")
        }
        await exporter.refuseAsEnding()
        await connection.flush(within: Self.answerLimit)
    }

    /// Answers callers for a moment with the reason why there is no store.
    ///
    /// A daemon that the bus started has no other way to tell the user.
    private func explain(
        _ error: NotificationError, through exporter: ServiceExporter,
        on connection: BusConnection, _ stop: StopSignal
    ) async {
        await exporter.refuse(error)
        let isOver = Locked(false)
        connection.reactor.perform(after: Self.explanation) {
            isOver.withLock { $0 = true }
            stop.interrupt()
        }
        // The loss of the bus interrupts `stop` as well.
        while !stop.isRaised, !isOver.withLock({ $0 }) { await stop.wait() }
        await releaseBusName(connection, exporter)
        await connection.close()
    }

    private func endWhenIdle(
        _ engine: CenterEngine, on connection: BusConnection, _ stop: StopSignal
    ) async {
        guard isDevelopment else { return }
        let idleness = Countdown(Self.idleLimit, reactor: connection.reactor) {
            Log.daemon.notice("no app uses the daemon; it ends")
            stop.raise()
        }
        await engine.watchQuiet { idleness.update(isRunning: $0) }
    }

    private func stopCallers(
        of engine: CenterEngine, _ systemEvents: SystemEvents, _ inbox: InboxAdoption
    ) async {
        await systemEvents.stop()
        await inbox.stop()
        await engine.withdrawQuestions()
    }

    /// Stops the engine, which stores the outcome of deliveries under way.
    ///
    /// If the server leaves a post unanswered, the next daemon decides. If the same server still
    /// runs, the popup counts as shown; otherwise the new server shows the popup.
    private func stopEngine(_ engine: CenterEngine, on connection: BusConnection) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        Task {
            await engine.stop(waiting: Self.answerLimit)
            // Send the answers of calls in progress.
            await connection.flush()
            end.finish()
        }
        connection.reactor.perform(after: Self.shutdownTimeout) { end.finish() }
        for await _ in ends {}
    }

    /// Requests the name and returns its former owner.
    ///
    /// An installed daemon may take the name from a development daemon. A development daemon never
    /// takes the name from another daemon.
    private func takeName(
        on connection: BusConnection, _ stop: StopSignal
    ) async throws(NotificationError) -> BusName? {
        do throws(BusError) {
            let former = try await connection.owner(of: CenterName.bus)
            try await connection.requestName(
                CenterName.bus, flags: isDevelopment ? .allowReplacement : .replaceExisting
            ) {
                Log.daemon.notice("another daemon has taken the name; this daemon ends")
                stop.raise()
            }
            return former
        } catch {
            guard error.code == .nameUnavailable else { throw NotificationError(error) }
            throw NotificationError(
                .noDaemon,
                "A notification centre serves this session already: another tocsind owns the name "
                    + "\(CenterName.bus). Stop that tocsind first.")
        }
    }

    /// Takes over the requests of a development daemon that this daemon has replaced.
    ///
    /// During the takeover all calls wait, so that no caller misses its earlier requests. The
    /// former daemon leaves the bus when it has closed its store.
    private func adoptStore(
        of former: BusName, by engine: CenterEngine, on connection: BusConnection
    ) async {
        let (departures, departure) = AsyncStream.makeStream(of: Never.self)
        let layout = configuration.developmentLayout
        do throws(BusError) {
            let watch = try await connection.watchOwner(of: former) { owner in
                if owner == nil { departure.finish() }
            }
            if try await connection.owner(of: former) == nil { departure.finish() }
            connection.reactor.perform(after: Self.handOverLimit) { departure.finish() }
            for await _ in departures {}
            watch.cancel()
        } catch {
            Log.daemon.debug("the bus was lost while the store was handed over: \(error.message)")
        }
        await engine.adopt([layout])
    }

    /// Starts the engine, and waits while another process has the store.
    ///
    /// The result is nil if the daemon must end, or loses its bus, during that wait.
    private func engine(
        on connection: BusConnection, through exporter: ServiceExporter,
        _ transport: (any PushTransport)?, with system: SystemBus, clock: SystemClock,
        _ stop: StopSignal,
        _ failure: Locked<NotificationError?>
    ) async throws(NotificationError) -> CenterEngine? {
        defer { lockWatch.onRelease(nil) }
        let idleness = Countdown(Self.idleLimit, reactor: connection.reactor) {
            if isDevelopment { stop.raise() }
        }
        while true {
            do throws(NotificationError) {
                let engine = try await start(
                    on: connection, transport, with: system, clock: clock
                ) { error in
                    failure.withLock { $0 = error }
                    stop.raise()
                }
                guard !isDevelopment else { return engine }
                await engine.adopt(
                    configuration.embeddedLayouts() + [configuration.developmentLayout])
                return engine
            } catch {
                guard error.code == .storeLocked else { throw error }
            }
            guard !stop.isRaised, await connection.uniqueName != nil else { return nil }
            Log.daemon.notice("waiting until another process releases the store")
            await exporter.awaitStore { lockWatch.bus }
            let obstacle = Locked<NotificationError?>(nil)
            lockWatch.onRelease { error in
                obstacle.withLock { $0 = error }
                stop.interrupt()
            }
            connection.reactor.perform { idleness.update(isRunning: true) }
            await stop.wait()
            connection.reactor.perform { idleness.update(isRunning: false) }
            if let error = obstacle.withLock({ $0 }) { throw error }
            await exporter.prepare()
        }
    }

    private func start(
        on connection: BusConnection, _ transport: (any PushTransport)?, with system: SystemBus,
        clock: SystemClock, storeEnded: @escaping @Sendable (NotificationError) -> Void
    ) async throws(NotificationError) -> CenterEngine {
        let environment = SessionEnvironment(connection: connection, own: configuration.environment)
        let session: @Sendable () async -> [String: String] = { await environment.current() }
        var settings = configuration.engineSettings(
            layout, hosting: "daemon", zones: clock.zones, on: connection, with: system,
            session: session)
        settings.bus = connection.address.rawValue
        settings.storeEnded = storeEnded
        settings.pushes = transport
        if !isDevelopment {
            settings.storeOfApp = { [configuration] in configuration.embeddedLayout(of: $0) }
        }
        settings.launcher = DesktopLauncher(connection: connection, environment: session)
        return try await configuration.startEngine(
            settings, clock: clock, on: connection, session: session)
    }
}
