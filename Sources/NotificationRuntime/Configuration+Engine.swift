internal import DesktopBus
internal import DesktopIntegration
internal import NotificationEngine
internal import NotificationModel
internal import NotificationStore

extension Configuration {
    /// The settings of an engine; `session` returns the environment for programs with a window.
    func engineSettings(
        _ layout: StoreLayout, hosting: String, zones: SystemZones, on connection: BusConnection,
        with system: SystemBus, session: @escaping @Sendable () async -> [String: String]
    ) -> EngineConfiguration {
        var settings = EngineConfiguration(
            layout: layout, hosting: hosting, version: Version.current, zones: zones)
        settings.surroundings = surroundings
        settings.desktopFile = { Self.desktopFile(of: $0) }
        settings.extensions = DesktopExtensionPrograms(
            environment: environment, directory: layout.directory + "/extensions",
            reactor: connection.reactor)
        settings.media = DesktopMediaPrograms.installed(
            environment: environment, reactor: connection.reactor)
        settings.imageForm = presenterChoice == .portal ? .png : .pixels
        settings.preferences = SystemPreferences(
            connection: connection, environment: session)
        settings.lock = SessionLock(
            sessionBus: connection, environment: environment, userID: userID
        ) { await system.opened() }
        // GeoClue and its agents identify the asking program by its desktop file. Tocsin asks in
        // place of the apps: the daemon watches regions even after their app has quit.
        settings.location = GeoClue(
            desktopID: ApplicationID.tocsin.rawValue, reactor: connection.reactor
        ) { await system.opened() }
        return settings
    }

    /// Starts an engine; its popups and dialogs appear in the session that `session` describes.
    func startEngine(
        _ settings: EngineConfiguration, clock: SystemClock, on connection: BusConnection,
        session: @escaping @Sendable () async -> [String: String]
    ) async throws(NotificationError) -> CenterEngine {
        try await CenterEngine.start(
            settings,
            presenter: presenterChoice.presenter(
                on: connection, in: settings.surroundings.wordingLanguage, session: session),
            clock: clock, reactor: connection.reactor,
            dialogs: ProgramDialogs(reactor: connection.reactor, environment: session))
    }
}
