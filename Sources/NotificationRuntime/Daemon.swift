internal import CenterInterface
internal import DesktopBus
internal import DesktopIntegration
internal import Freedesktop
internal import Logging
internal import NotificationEngine
public import NotificationModel
internal import Reactor

/// The per-user notification centre as a process: one engine behind
/// `org.tocsin.NotificationCenter1`.
public struct Daemon: Sendable {
    /// How long the daemon waits for a bus that has gone: then the session is over, and the store
    /// has to be free for the next one.
    static let busPatience: Duration = .seconds(10)
    /// How long a development daemon stays when nobody is connected and nothing is pending.
    static let idleLimit: Duration = .seconds(30)

    private let configuration: Configuration
    private let isDevelopment: Bool

    /// Makes a daemon; a development one has a store of its own and ends when it is idle.
    public init(configuration: Configuration, isDevelopment: Bool) {
        self.configuration = configuration
        self.isDevelopment = isDevelopment
    }

    /// Serves until SIGTERM or SIGINT, until the name is lost to another daemon, or until the bus
    /// has gone for good.
    public func run() async throws(NotificationError) {
        // Caught before anything is on the way, so that an early signal ends it in order too.
        let stop = StopSignal()
        let connection = try await SessionBus.connect(configuration)
        let reactor = connection.reactor
        let layout =
            isDevelopment ? configuration.developmentLayout : configuration.daemonLayout
        let clock = SystemClock(reactor: reactor, environment: configuration.environment)
        let engine = try await engine(layout, on: connection, clock: clock)
        let systemEvents = SystemEvents(
            environment: configuration.environment, reactor: reactor
        ) { [weak clock] in clock?.report($0) }
        // Not waited for: a system bus that hangs must not hold up the start.
        Task { await systemEvents.start() }
        let exporter = ServiceExporter(service: engine, connection: connection)
        try await exporter.start()
        do throws(BusError) {
            try await connection.requestName(CenterName.bus) {
                Log.daemon.notice("another daemon has taken the name; this one ends")
                stop.raise()
            }
        } catch {
            throw NotificationError(
                .noDaemon,
                "The name \(CenterName.bus) cannot be had: \(error.message) Another tocsind may "
                    + "be running for this user; stop it first.")
        }
        let busLoss = StopCountdown(
            "the session bus has gone", after: Self.busPatience, reactor: reactor, stop: stop)
        await connection.onStateChange { state in
            if case .disconnected = state {
                busLoss.conditionHolds(true)
            } else {
                busLoss.conditionHolds(false)
            }
        }
        if isDevelopment {
            let idleness = StopCountdown(
                "nobody needs it", after: Self.idleLimit, reactor: reactor, stop: stop)
            await engine.watchQuiet { idleness.conditionHolds($0) }
        }
        Log.daemon.info("serving \(layout.directory)")
        await stop.wait()
        // While their callers can still be answered.
        await systemEvents.stop()
        await engine.withdrawQuestions()
        await exporter.stop()
        await connection.flush()
        await connection.close()
    }

    private func engine(
        _ layout: StoreLayout, on connection: BusConnection, clock: SystemClock
    ) async throws(NotificationError) -> CenterEngine {
        let environment = configuration.environment
        var settings = EngineConfiguration(
            layout: layout, hosting: "daemon", version: Version.current)
        settings.surroundings = configuration.surroundings
        settings.extensions = DesktopExtensionPrograms(
            environment: configuration.environment, directory: layout.directory + "/extensions",
            reactor: connection.reactor)
        return try await CenterEngine.start(
            settings,
            presenter: FreedesktopPresenter(connection: connection),
            clock: clock,
            reactor: connection.reactor,
            dialogs: ProgramDialogs(reactor: connection.reactor) {
                await SessionEnvironment(connection: connection, own: environment).current()
            })
    }
}
