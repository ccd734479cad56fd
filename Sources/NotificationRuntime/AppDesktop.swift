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

/// The outcome of `claimActions`: which process gets the user's choices of quick actions.
public enum ActionClaim: Hashable, Sendable {
    /// This process gets the choices, or this desktop cannot pass choices to an app.
    case claimed
    /// Another process gets the choices, or the session bus cannot be reached.
    case refused
    /// Another process gets the choices, and has accepted the choice that started this process.
    case handedOver
}

/// Connects an app to its desktop: it reports the lock, sleep and shutdown, shows dialogs, passes
/// quick actions on, and opens URLs.
///
/// It has its own reactor and bus connections, and does not share them with the app's notification
/// centre. The listener gets events in their order, on the reactor's thread. If a service is
/// missing, the listener does not get the events of that service.
public actor AppDesktop {
    private let configuration: Configuration
    private let chosenID: @Sendable () -> ApplicationID?
    private let reactor: Reactor?
    private let system: SystemBus?
    private let power: PowerWatch?
    private var lock: SessionLock?
    /// The task that subscribes to sleep and shutdown; nil before `follow`.
    private var powerSubscription: Task<Void, Never>?
    private var sessionBus: BusConnection?
    private let opener: LinkOpener

    /// Makes the desktop around an app, and begins to connect to the system bus.
    ///
    /// `chosenID` returns the id that the app's code has set; nil if the code has set no id.
    public init(
        configuration: Configuration,
        chosenID: @escaping @Sendable () -> ApplicationID? = { nil }
    ) {
        self.configuration = configuration
        self.chosenID = chosenID
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

    private nonisolated var identity: ApplicationIdentity {
        configuration.identity(settingID: chosenID())
    }

    private static func startReactor() -> Reactor? {
        do throws(ReactorError) {
            return try Reactor(name: "tocsin-app")
        } catch {
            Log.host.error("The app gets no events of locks and sleep: \(error.message)")
            return nil
        }
    }

    /// Listens to the desktop, and returns when it has tried to subscribe to every source.
    ///
    /// If the session is locked already, the listener gets a `lockChanged`.
    public func follow(_ listener: @escaping @Sendable (AppDesktopEvent) -> Void) async {
        // Subscribe in a separate task, so that a hanging system bus does not delay the lock's
        // events.
        let subscription = Task { await followPower(listener) }
        powerSubscription = subscription
        await followLock(listener)
        await subscription.value
    }

    private func followPower(_ listener: @escaping @Sendable (AppDesktopEvent) -> Void) async {
        do throws(BusError) {
            try await power?.follow { event in
                switch event {
                case .sleepBegins, .shutdownBegins: listener(.sleepBegins)
                case .sleepEnded, .shutdownCancelled: listener(.sleepEnded)
                }
            }
        } catch {
            Log.host.debug("The app gets no events of sleep and shutdown: \(error.message)")
        }
    }

    private func followLock(_ listener: @escaping @Sendable (AppDesktopEvent) -> Void) async {
        guard let reactor else { return }
        do throws(NotificationError) {
            let bus = try await openSessionBus(on: reactor)
            let lock = SessionLock(
                sessionBus: bus, environment: configuration.environment,
                userID: configuration.userID
            ) { [system] in await system?.opened() }
            self.lock = lock
            // A change may arrive before `follow` returns the first status. In that case the change
            // is newer than the first status.
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
            Log.host.debug("The app gets no events of the session's lock: \(error.message)")
        }
    }

    private func openSessionBus(
        on reactor: Reactor
    ) async throws(NotificationError) -> BusConnection {
        if let sessionBus { return sessionBus }
        let bus = try await SessionBus.connect(configuration, on: reactor)
        // Another call may have connected during the wait.
        if let sessionBus { return sessionBus }
        sessionBus = bus
        return bus
    }

    // MARK: Quick actions

    private nonisolated func quickActionFile() -> QuickActionFile {
        QuickActionFile(
            of: identity.id,
            dataDirectories: configuration.dataDirectories)
    }

    /// The quick actions in the app's desktop file; empty if there is no file.
    public nonisolated func quickActions() -> [QuickAction] { quickActionFile().actions() }

    /// Writes the dynamic quick actions into the app's desktop file.
    ///
    /// - Throws: `noSettings` if the app has no desktop file that may be changed; `limitReached` if
    ///   the file would be too large.
    public nonisolated func setDynamicActions(
        _ actions: [QuickAction]
    ) throws(NotificationError) {
        try quickActionFile().setDynamicActions(actions)
    }

    /// Whether the user can choose a quick action; if false, the app need not call `claimActions`.
    public nonisolated var offersQuickActions: Bool {
        configuration.quickActionChoice != nil || quickActionFile().isInstalled
    }

    /// Registers this process to get the user's choices of quick actions.
    ///
    /// If another process already gets the choices, this process hands over the quick action that
    /// started this process. If the other process does not accept the action, the listener gets it.
    ///
    /// The listener is called on this actor for the choice that started this process, and on the
    /// reactor's thread for later choices.
    public func claimActions(
        _ listener: @escaping @Sendable (QuickActionChoice) -> Void
    ) async -> ActionClaim {
        let choice = configuration.quickActionChoice
        let app = identity.id
        do {
            guard let reactor,
                let instance = ApplicationInstance(
                    of: app, on: try await openSessionBus(on: reactor))
            else {
                choice.map(listener)
                return .claimed
            }
            if try await instance.claim(listener) {
                choice.map(listener)
                return .claimed
            }
            guard let choice else { return .refused }
            do throws(BusError) {
                try await instance.handOver(choice)
                return .handedOver
            } catch {
                Log.host.warning(
                    "The running \(app) did not take the quick action: \(error.message)")
            }
        } catch {
            Log.host.debug("The desktop does not reach the app by its bus name: \(error)")
        }
        choice.map(listener)
        return .refused
    }

    // MARK: Sleep, addresses and dialogs

    /// Delays sleep and shutdown of the machine; the result is nil if that is impossible.
    ///
    /// logind ends the delay after a limit from its configuration, by default 5 seconds.
    public func delaySleep(reason: String) async -> SleepDelay? {
        // Wait for the subscription: otherwise the app could delay a sleep and get no event of that
        // sleep.
        await powerSubscription?.value
        do throws(BusError) {
            let name = identity.name
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

    /// Shows an alert in a window, or as a popup if no window can be shown.
    ///
    /// If the task is cancelled, the alert closes.
    ///
    /// - Throws: `noServer` if neither a window nor a popup can show the alert; `noBus` if the
    ///   popup finds no session bus; `protocolViolation` if the program for dialogs fails.
    public func answer(to alert: AlertDialog) async throws(NotificationError) -> AlertAnswer {
        guard let reactor else {
            throw NotificationError(
                .noServer, "No thread could be started to show \(alert.title.quotedForMessage()).")
        }
        let identity = identity
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
                connection: bus, application: identity, environment: configuration.environment,
                dialogFailure: error)
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

/// A delay of the machine's sleep and shutdown; it ends when this object is released.
public final class SleepDelay: Sendable {
    private let descriptor: BusDescriptor

    init(_ descriptor: BusDescriptor) {
        self.descriptor = descriptor
    }
}
