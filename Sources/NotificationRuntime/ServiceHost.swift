internal import CenterInterface
internal import DesktopBus
internal import DesktopIntegration
internal import Glibc
internal import Logging
internal import NotificationEngine
public import NotificationModel
internal import NotificationStore
internal import Reactor

/// Gives an app its notification centre: the daemon if possible, otherwise an engine in the app.
///
/// All callers share one attempt to open the service. After a failure, a later call retries. The
/// host does not connect before the first use, nor during the backoff after a failure.
public actor ServiceHost {
    private let configuration: Configuration
    private let chosenID = Locked<ApplicationID?>(nil)
    private let endListener = Locked(EndListener())
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Runs the task that opens the service; tasks that start calls should also prefer it.
    ///
    /// It has a thread outside Swift's pool, so a call starts even if the app blocks the pool.
    public nonisolated let executor = CallExecutor()
    private var isRemote = false
    private var opening: Task<any NotificationService, any Error>?
    private var outage: Outage?
    private var hosted: Hosted?
    private var engineCount = 0
    /// The task that ends an engine whose store has failed.
    private var ending: Task<Void, Never>?

    private struct Hosted {
        var number: Int
        var engine: CenterEngine
        var connection: BusConnection
        var system: SystemBus
        var systemEvents: SystemEvents
    }

    private struct EndListener {
        var report: @Sendable () -> Void = {}
    }

    private struct Outage {
        /// The pauses are short, so that a user who starts a bus or a daemon does not wait long.
        static let backoff = Backoff(longest: .seconds(2))

        var failures: Int
        var error: NotificationError
        /// Calls before this instant fail with the same error.
        var retry: ContinuousClock.Instant
    }

    /// Makes a host; nothing is opened before the first use.
    ///
    /// Tests pass another clock.
    public init(
        configuration: Configuration,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.configuration = configuration
        self.now = now
    }

    /// The app's identity.
    public nonisolated var application: ApplicationIdentity {
        configuration.identity(settingID: chosenID.withLock { $0 })
    }

    nonisolated var environment: [String: String] { configuration.environment }

    /// The public VAPID key of the app's server, from the `Info.plist` beside the program.
    public nonisolated var pushServerKey: String? { configuration.pushServerKey }

    /// The identifier of the request whose response started this process.
    public nonisolated var launchedFor: String? { configuration.launchedFor }

    /// Sets the app's id in code; call it before the first use.
    public nonisolated func setApplicationIdentifier(_ id: ApplicationID) {
        chosenID.withLock { $0 = id }
    }

    /// Sets the closure that is called when the host drops an engine whose store has failed.
    public nonisolated func onEngineEnd(_ listener: @escaping @Sendable () -> Void) {
        endListener.withLock { $0.report = listener }
    }

    /// The service, opened on first use; after a failure a later call retries.
    ///
    /// The backoff between two attempts grows, and calls during the backoff fail with the last
    /// error. A program that calls in a loop therefore does not connect in a loop.
    ///
    /// - Throws: The last attempt's error: `noBus` without a session bus, otherwise the error of
    ///   the daemon or of the app's own store.
    public func service() async throws(NotificationError) -> any NotificationService {
        if opening == nil, let outage, now() < outage.retry { throw outage.error }
        let task = opening ?? Task(executorPreference: executor) { try await self.open() }
        opening = task
        do {
            let service = try await task.value
            if opening == task { outage = nil }
            return service
        } catch {
            let failure =
                (error as? NotificationError)
                ?? NotificationError(.noDaemon, "The notification service did not open: \(error).")
            // Several callers may wait for one attempt; the first of them records its failure.
            if opening == task {
                opening = nil
                noteFailure(failure)
            }
            throw failure
        }
    }

    private func noteFailure(_ error: NotificationError) {
        let failures = outage?.failures ?? 0
        let pause = Outage.backoff.pause(
            afterFailures: failures, fraction: Double.random(in: 0...1))
        outage = Outage(failures: failures + 1, error: error, retry: now() + pause)
    }

    /// Shows all due requests with the engine in this program, which is about to end.
    ///
    /// If requests remain, `report` first gets a warning for the user, because nothing shows the
    /// requests on time. If a daemon then takes the requests over, `report` gets nil, which cancels
    /// the warning. So a caller that stops waiting for the daemon already has the warning.
    public func finish(_ report: @escaping @Sendable (String?) -> Void) async {
        guard let hosted else { return }
        do throws(NotificationError) {
            let count = try await hosted.engine.finish()
            guard count > 0 else { return }
            let (waiting, they) =
                count == 1 ? ("1 request waits", "It is") : ("\(count) requests wait", "They are")
            report(
                "\(waiting) and will be late: this program ran its own notification centre, and "
                    + "ends now. \(they) shown when the program runs again. For notifications on "
                    + "time, install Tocsin's daemon.")
            if await isTakenOver(hosted) { report(nil) }
        } catch {
            report("The notification centre of this program could not finish: \(error.message)")
        }
    }

    /// Leaves the requests to a daemon that was installed while this program ran.
    ///
    /// Returns whether the daemon has taken the requests over.
    private func isTakenOver(_ hosted: Hosted) async -> Bool {
        guard configuration.hostingMode == .automatic else { return false }
        do throws(NotificationError) {
            let daemon = try await RemoteService.open(
                connection: hosted.connection, launcher: nil)
            await hosted.engine.stop(waiting: Self.shutdownTimeout)
            // The daemon imports the store of an app that connects.
            var app = application
            // Require permission: without this, a daemon that does not know the app yet would
            // allow the app to notify.
            app.needsPermission = true
            let session = try await daemon.connect(
                app, asksBeforePresenting: false, identifiers: nil
            ) { _ in }
            await daemon.disconnect(session)
            // Look for the file, because a development daemon imports no store, and an import may
            // fail.
            return access(configuration.embeddedLayout(of: app.id).database, F_OK) != 0
        } catch {
            Log.host.debug("no daemon takes the requests over: \(error.message)")
            return false
        }
    }

    /// Advice for an app that the desktop does not know, because the app has no desktop file.
    ///
    /// The advice says whether a click starts the program again after its end. The result is nil if
    /// the app has a desktop file, or does not use the daemon.
    public func advice(for application: ApplicationIdentity) -> String? {
        guard isRemote, !application.hasDesktopEntry, !application.executable.isEmpty else {
            return nil
        }
        let click =
            application.arguments.isEmpty
            ? "a click starts this program again"
            : "this program was started with arguments, so a click does not start it again"
        let words = ["tocsin", "register", application.executable, "--id", application.id.rawValue]
        return "\(application.id) has no desktop file; \(click). To make it an app of the desktop: "
            + ShellQuoting.line(words)
    }

    /// How long a stopping engine waits for the server to answer posts.
    private static let shutdownTimeout: Duration = .milliseconds(500)

    /// Drops an engine that refuses every call; the next call of `service()` opens its store anew.
    private func storeEnded(_ error: NotificationError, of number: Int) {
        guard let hosted, hosted.number == number else { return }
        Log.host.error("\(error.message) The store is opened anew.")
        self.hosted = nil
        executor.start(on: nil)
        opening = nil
        let former = ending
        ending = Task {
            await former?.value
            await hosted.engine.stop(waiting: Self.shutdownTimeout)
            await hosted.systemEvents.stop()
            await hosted.system.close()
            await hosted.connection.close()
            hosted.connection.reactor.stop()
        }
        endListener.withLock { $0 }.report()
    }

    private func open() async throws(NotificationError) -> any NotificationService {
        await ending?.value
        let reactor: Reactor
        do throws(ReactorError) {
            reactor = try Reactor(name: "tocsin")
        } catch {
            throw NotificationError(error)
        }
        do throws(NotificationError) {
            let connection = try await SessionBus.connect(configuration, on: reactor)
            do throws(NotificationError) {
                let service = try await service(on: connection)
                executor.start(on: reactor)
                return service
            } catch {
                await connection.close()
                throw error
            }
        } catch {
            // Stop the reactor's thread: a program may run for years without a bus or a daemon.
            reactor.stop()
            throw error
        }
    }

    private func service(
        on connection: BusConnection
    ) async throws(NotificationError) -> any NotificationService {
        switch configuration.hostingMode {
        case .embedded:
            return try await embedded(connection)
        case .daemon:
            return try await remote(connection)
        case .automatic:
            do {
                return try await remote(connection)
            } catch {
                return try await embedded(connection)
            }
        }
    }

    private func remote(
        _ connection: BusConnection
    ) async throws(NotificationError) -> any NotificationService {
        let environment = configuration.environment
        let launcher = DaemonLauncher(environment: environment, log: configuration.daemonLog)
        let service = try await RemoteService.open(connection: connection, launcher: launcher)
        isRemote = true
        return service
    }

    /// The environment of this process: an app runs in the session that its windows belong to.
    private nonisolated var ownSession: @Sendable () async -> [String: String] {
        { [configuration] in configuration.environment }
    }

    private func embedded(
        _ connection: BusConnection
    ) async throws(NotificationError) -> any NotificationService {
        let layout = configuration.embeddedLayout(of: application.id)
        let system = SystemBus(
            environment: configuration.environment, reactor: connection.reactor, executor: executor)
        var settings = configuration.engineSettings(
            layout, hosting: "embedded", zones: SystemZones(environment: configuration.environment),
            on: connection, with: system, session: ownSession)
        settings.storeOfApp = { [configuration] in configuration.embeddedLayout(of: $0) }
        do throws(NotificationError) {
            return try await start(settings, on: connection, system)
        } catch {
            await system.close()
            throw error
        }
    }

    private func start(
        _ settings: EngineConfiguration, on connection: BusConnection, _ system: SystemBus
    ) async throws(NotificationError) -> CenterEngine {
        engineCount += 1
        let number = engineCount
        let failure = Locked<NotificationError?>(nil)
        var settings = settings
        settings.storeEnded = { [weak self] error in
            failure.withLock { $0 = error }
            Task { await self?.storeEnded(error, of: number) }
        }
        let clock = SystemClock(
            reactor: connection.reactor, environment: configuration.environment,
            zones: settings.zones)
        let engine = try await configuration.startEngine(
            settings, clock: clock, on: connection, session: ownSession)
        if let decision = configuration.permissionDecision {
            do throws(NotificationError) {
                try await engine.decide(decision, for: application.id)
            } catch {
                await engine.stop(waiting: Self.shutdownTimeout)
                throw error
            }
        }
        // If the store failed before `hosted` was set, `storeEnded` had nothing to release.
        if let error = failure.withLock({ $0 }) {
            await engine.stop(waiting: Self.shutdownTimeout)
            throw error
        }
        let systemEvents = SystemEvents(on: system) { [weak clock] in clock?.report($0) }
        Task { await systemEvents.start() }
        hosted = Hosted(
            number: number, engine: engine, connection: connection, system: system,
            systemEvents: systemEvents)
        return engine
    }
}
