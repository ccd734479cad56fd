internal import CenterInterface
internal import DesktopBus
internal import DesktopIntegration
internal import NotificationEngine
public import NotificationModel
internal import Reactor
internal import Synchronization

/// Gives an app its notification centre: the daemon where it can be had, otherwise an engine in
/// the app itself.
public actor ServiceHost {
    private let configuration: Configuration
    private let chosenID = Mutex<ApplicationID?>(nil)
    private var isRemote = false
    private var opening: Task<any NotificationService, any Error>?
    private var systemEvents: SystemEvents?

    /// Makes a host; nothing is opened before the first use.
    public init(configuration: Configuration) {
        self.configuration = configuration
    }

    /// Who the app is.
    public nonisolated var application: ApplicationIdentity {
        configuration.identity(settingID: chosenID.withLock { $0 })
    }

    /// Sets the app's id in code; to be called before the first use.
    public nonisolated func setApplicationIdentifier(_ id: ApplicationID) {
        chosenID.withLock { $0 = id }
    }

    /// The service, opened on first use; after a failure the next call tries again.
    public func service() async throws(NotificationError) -> any NotificationService {
        let task = opening ?? Task { try await open() }
        opening = task
        do {
            return try await task.value
        } catch {
            opening = nil
            throw (error as? NotificationError)
                ?? NotificationError(.noDaemon, "The notification service did not open: \(error).")
        }
    }

    /// What an app without a desktop file is told: the desktop does not know it, and a click starts
    /// the program that runs now.
    ///
    /// Nil where it has one, or where the notification centre ends with the app.
    public func advice(for application: ApplicationIdentity) -> String? {
        guard isRemote, !application.hasDesktopEntry, !application.executable.isEmpty else {
            return nil
        }
        return "\(application.id) has no desktop file; a click starts this program again. To make "
            + "it an app of the desktop: tocsin register '\(application.executable)' --id "
            + "'\(application.id)'"
    }

    private func open() async throws(NotificationError) -> any NotificationService {
        let connection = try await SessionBus.connect(configuration)
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

    private func embedded(
        _ connection: BusConnection
    ) async throws(NotificationError) -> any NotificationService {
        let reactor = connection.reactor
        let application = application.id
        var settings = EngineConfiguration(
            layout: configuration.embeddedLayout(of: application), hosting: "embedded",
            version: Version.current)
        settings.surroundings = configuration.surroundings
        settings.storeOfApp = { [configuration] in configuration.embeddedLayout(of: $0) }
        settings.extensions = DesktopExtensionPrograms(
            environment: configuration.environment,
            directory: settings.layout.directory + "/extensions", reactor: reactor)
        settings.media = DesktopMediaPrograms.installed(
            environment: configuration.environment, reactor: reactor)
        settings.pictureForm = configuration.presenterChoice == .portal ? .png : .pixels
        settings.preferences = SystemPreferences(connection: connection) { [configuration] in
            configuration.environment
        }
        let system = SystemBus(environment: configuration.environment, reactor: reactor)
        settings.lock = SessionLock(
            sessionBus: connection, environment: configuration.environment,
            userID: configuration.userID
        ) { await system.opened() }
        let clock = SystemClock(reactor: reactor, environment: configuration.environment)
        let engine = try await CenterEngine.start(
            settings,
            presenter: configuration.presenterChoice.presenter(on: connection) { [configuration] in
                configuration.environment
            },
            clock: clock,
            reactor: reactor,
            // An app runs in the session that its windows belong to.
            dialogs: ProgramDialogs(reactor: reactor) { [configuration] in
                configuration.environment
            })
        let systemEvents = SystemEvents(on: system) { [weak clock] in clock?.report($0) }
        self.systemEvents = systemEvents
        Task { await systemEvents.start() }
        if let decision = configuration.permissionDecision {
            try await engine.decide(decision, for: application)
        }
        return engine
    }
}
