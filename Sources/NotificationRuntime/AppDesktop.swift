internal import DesktopBus
internal import DesktopIntegration
internal import Logging
public import NotificationModel
internal import Reactor

/// An event of the desktop that changes the life of an app.
public enum AppDesktopEvent: Hashable, Sendable {
    /// The session is locked, or unlocked again.
    case lockChanged(isLocked: Bool)
    /// The machine is about to sleep, or to shut down.
    case sleepBegins
    /// The machine is awake again, or the shutdown was cancelled.
    case sleepEnded
}

/// The desktop around an app with a life cycle: the lock, sleep and shutdown, dialogs, addresses.
///
/// It owns a reactor with a connection to each bus.
///
/// It promises events in their order, on the reactor's thread. A service that is missing reports
/// nothing.
///
/// It never knows notifications: the app's centre has its own connection.
public actor AppDesktop {
    private let configuration: Configuration
    private let reactor: Reactor?
    private let system: SystemBus?
    private let power: PowerWatch?
    private var lock: SessionLock?
    private let opener: LinkOpener

    /// Makes it, and begins to connect to the system bus.
    public init(configuration: Configuration) {
        self.configuration = configuration
        opener = LinkOpener(environment: configuration.environment)
        let reactor = Self.startReactor()
        self.reactor = reactor
        let system = reactor.map {
            SystemBus(environment: configuration.environment, reactor: $0)
        }
        self.system = system
        power = reactor.map { PowerWatch(reactor: $0) { await system?.opened() } }
    }

    deinit {
        reactor?.stop()
    }

    private static func startReactor() -> Reactor? {
        do throws(ReactorError) {
            return try Reactor(name: "tocsin-app")
        } catch {
            Log.host.error("The app does not hear of locks and sleep: \(error.message)")
            return nil
        }
    }

    /// Listens to the desktop; returns when every source was asked.
    ///
    /// A session that is locked already is reported too.
    public func follow(_ listener: @escaping @Sendable (AppDesktopEvent) -> Void) async {
        do throws(BusError) {
            try await power?.follow { event in
                switch event {
                case .sleepBegins, .shutdownBegins: listener(.sleepBegins)
                case .sleepEnded, .shutdownCancelled: listener(.sleepEnded)
                }
            }
        } catch {
            Log.host.debug("The app does not hear of sleep and shutdown: \(error.message)")
        }
        await followLock(listener)
    }

    private func followLock(_ listener: @escaping @Sendable (AppDesktopEvent) -> Void) async {
        guard let reactor else { return }
        do throws(NotificationError) {
            let bus = try await SessionBus.connect(configuration, on: reactor)
            let lock = SessionLock(
                sessionBus: bus, environment: configuration.environment,
                userID: configuration.userID
            ) { [system] in await system?.opened() }
            self.lock = lock
            // A change may arrive before the first status is returned here; it is the newer one.
            let hasChanged = Locked(false)
            let first = await lock.follow { status in
                hasChanged.withLock { $0 = true }
                listener(.lockChanged(isLocked: status.isLocked))
            }
            guard first.isLocked else { return }
            reactor.perform {
                if !hasChanged.withLock(\.self) { listener(.lockChanged(isLocked: true)) }
            }
        } catch {
            Log.host.debug("The app does not hear of the session's lock: \(error.message)")
        }
    }

    /// Delays sleep and shutdown of the machine; nil if nothing can delay them.
    ///
    /// logind limits the delay, to 5 seconds unless it is configured otherwise.
    public func delaySleep(reason: String) async -> SleepDelay? {
        do throws(BusError) {
            let name = configuration.identity().name
            return try await power?.delay(who: name, why: reason).map { SleepDelay($0) }
        } catch {
            Log.host.debug("Sleep and shutdown are not delayed: \(error.message)")
            return nil
        }
    }

    /// Whether an installed app opens addresses of this scheme.
    public nonisolated func canOpen(scheme: String) -> Bool { opener.canOpen(scheme: scheme) }

    /// Opens an address in the app that the user has chosen for it.
    ///
    /// - Throws: `noSettings` if no program that opens addresses is installed or it does not start.
    public nonisolated func open(_ address: String) throws(NotificationError) {
        try opener.open(address)
    }

    /// Shows an alert in a window, or as a popup if no program for dialogs is installed.
    ///
    /// Cancelling the task closes it.
    ///
    /// - Throws: `noServer` if neither can show it; `protocolViolation` if the program for dialogs
    ///   does not start.
    public func answer(to alert: AlertDialog) async throws(NotificationError) -> AlertAnswer {
        guard let reactor else {
            throw NotificationError(
                .noServer, "No thread could be started to show \(alert.title.quotedForMessage()).")
        }
        let identity = configuration.identity()
        var alert = alert
        if alert.title.isEmpty { alert.title = identity.name }
        let dialogs = ProgramDialogs(reactor: reactor) { [configuration] in
            configuration.environment
        }
        do throws(NotificationError) {
            return try await dialogs.answer(to: alert)
        } catch {
            guard error.code == .noServer else { throw error }
            Log.host.debug("An alert becomes a popup: \(error.message)")
            let bus = try await SessionBus.connect(configuration, on: reactor, reconnect: nil)
            let popup = AlertPopup(
                connection: bus, application: identity, environment: configuration.environment)
            let answer: Result<AlertAnswer, NotificationError>
            do throws(NotificationError) {
                answer = .success(try await popup.answer(to: alert))
            } catch {
                answer = .failure(error)
            }
            await bus.close()
            return try answer.get()
        }
    }
}

/// A delay of the machine's sleep and shutdown; it ends with this object.
public final class SleepDelay: Sendable {
    private let descriptor: BusDescriptor

    init(_ descriptor: BusDescriptor) {
        self.descriptor = descriptor
    }
}
