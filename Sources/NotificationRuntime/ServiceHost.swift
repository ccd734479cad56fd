internal import CenterInterface
internal import DesktopBus
internal import DesktopIntegration
internal import Logging
internal import NotificationEngine
public import NotificationModel
internal import NotificationStore
internal import Reactor

/// Gives an app its notification centre: the daemon where it can be had, otherwise an engine in
/// the app itself.
public actor ServiceHost {
    private let configuration: Configuration
    private let chosenID = Locked<ApplicationID?>(nil)
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Runs what opens the service; the task that starts the calls should prefer it, too.
    public nonisolated let executor = CallExecutor()
    private var isRemote = false
    private var opening: Task<any NotificationService, any Error>?
    private var outage: Outage?
    private var hosted: Hosted?
    /// Counts the engines that were begun.
    private var engineCount = 0
    /// The end of an engine that can store nothing any more.
    private var ending: Task<Void, Never>?

    /// An engine in this program, and what it runs on.
    private struct Hosted {
        var number: Int
        var engine: CenterEngine
        var connection: BusConnection
        var system: SystemBus
        var systemEvents: SystemEvents
    }

    /// The tries that have failed in a row.
    private struct Outage {
        /// The next tries follow within seconds: whoever starts a bus or a daemon does not wait long.
        static let backoff = Backoff(longest: .seconds(2))

        var failures: Int
        var error: NotificationError
        /// Calls before this instant share the error.
        var retry: ContinuousClock.Instant
    }

    /// Makes a host; nothing is opened before the first use.
    ///
    /// Tests give another clock than the machine's.
    public init(
        configuration: Configuration,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.configuration = configuration
        self.now = now
    }

    /// Who the app is.
    public nonisolated var application: ApplicationIdentity {
        configuration.identity(settingID: chosenID.withLock { $0 })
    }

    /// Sets the app's id in code; to be called before the first use.
    public nonisolated func setApplicationIdentifier(_ id: ApplicationID) {
        chosenID.withLock { $0 = id }
    }

    /// The service, opened on first use; after a failure a later call tries again.
    ///
    /// The pause between two tries grows, and calls in a pause fail with the last error: a program
    /// that calls in a loop does not connect in a loop.
    public func service() async throws(NotificationError) -> any NotificationService {
        if opening == nil, let outage, now() < outage.retry { throw outage.error }
        let task = opening ?? Task(executorPreference: executor) { try await self.open() }
        opening = task
        do {
            return try await task.value
        } catch {
            let failure =
                (error as? NotificationError)
                ?? NotificationError(.noDaemon, "The notification service did not open: \(error).")
            // Of several callers that waited for one try the first reports it.
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

    /// Ends the work of an engine in this program, which ends: what is due is shown first.
    ///
    /// Gives a sentence for the user where requests are left that nobody shows on time; nil where a
    /// daemon has them.
    public func finish() async -> String? {
        guard let engine = hosted?.engine else { return nil }
        do throws(NotificationError) {
            let count = try await engine.finish()
            guard count > 0 else { return nil }
            let waiting = count == 1 ? "1 request waits" : "\(count) requests wait"
            return
                "\(waiting), and nothing shows them on time: this program ran its own notification "
                + "centre, and ends. They are shown when it runs again; to have them on time, "
                + "install Tocsin's daemon."
        } catch {
            return "The notification centre of this program did not end well: \(error.message)"
        }
    }

    /// What an app without a desktop file is told: the desktop does not know it, and whether a click
    /// starts the program that runs now.
    ///
    /// Nil where it has one, or where the notification centre ends with the app.
    public func advice(for application: ApplicationIdentity) -> String? {
        guard isRemote, !application.hasDesktopEntry, !application.executable.isEmpty else {
            return nil
        }
        let click =
            application.arguments.isEmpty
            ? "a click starts this program again"
            : "it was started with arguments, so a click does not start it again"
        let words = ["tocsin", "register", application.executable, "--id", application.id.rawValue]
        return "\(application.id) has no desktop file; \(click). To make it an app of the desktop: "
            + ShellQuoting.line(words)
    }

    /// How long an engine that can store nothing may take to end.
    private static let farewell: Duration = .milliseconds(500)

    /// Lets go of an engine that refuses everything: the next call opens its store anew.
    private func storeEnded(_ error: NotificationError, of number: Int) {
        guard let hosted, hosted.number == number else { return }
        Log.host.error("\(error.message) The next call opens the store anew.")
        self.hosted = nil
        executor.start(on: nil)
        opening = nil
        let former = ending
        ending = Task {
            await former?.value
            await hosted.engine.stop(waiting: Self.farewell)
            await hosted.systemEvents.stop()
            await hosted.system.close()
            await hosted.connection.close()
            hosted.connection.reactor.stop()
        }
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
            // A program may go on for years without a bus or a daemon.
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

    /// An app runs in the session that its windows belong to.
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
                await engine.stop()
                throw error
            }
        }
        // Nobody was told: it ended before there was anything to let go of.
        if let error = failure.withLock({ $0 }) {
            await engine.stop(waiting: Self.farewell)
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
