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
/// It has its own reactor and its own connection to each bus, which the app's notification centre
/// does not share. The listener gets events in their order, on the reactor's thread. A missing
/// service reports nothing.
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

    /// Listens to the desktop, and returns when it has tried to subscribe to every source.
    ///
    /// If the session is locked already, the listener gets a `lockChanged`.
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
            // A change may arrive before `follow` returns the first status; then the change is the
            // newer one.
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

    /// Delays sleep and shutdown of the machine; the result is nil if that is impossible.
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
    /// - Throws: `noSettings` if no program that opens addresses is installed, or if that program
    ///   does not start.
    public nonisolated func open(_ address: String) throws(NotificationError) {
        try opener.open(address)
    }

    /// Shows a dialog, and returns the index of the pressed button.
    ///
    /// The result is nil if the user closed the window. Cancelling the task closes the window.
    ///
    /// - Throws: `noServer` if there is no display or no program for dialogs; `protocolViolation`
    ///   if the program does not start.
    public func choose(
        title: String, text: String, buttons: [String]
    ) async throws(NotificationError) -> Int? {
        guard let reactor else {
            throw NotificationError(
                .noServer, "No thread could be started to show \(title.quotedForMessage()).")
        }
        let dialogs = ProgramDialogs(reactor: reactor) { [configuration] in
            configuration.environment
        }
        return try await dialogs.choose(
            AlertDialog(
                title: title.isEmpty ? configuration.identity().name : title, text: text,
                buttons: buttons))
    }
}

/// A delay of the machine's sleep and shutdown; it ends when this object is released.
public final class SleepDelay: Sendable {
    private let descriptor: BusDescriptor

    init(_ descriptor: BusDescriptor) {
        self.descriptor = descriptor
    }
}
