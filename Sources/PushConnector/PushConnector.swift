internal import Crypto
public import DesktopBus
internal import Foundation
internal import Logging
public import NotificationModel
public import Reactor
internal import WebPush

/// Connects the notification centre to a push distributor of UnifiedPush, a program on the session
/// bus that gets messages for apps.
///
/// It owns the object that distributors call, the keys of the registered apps, and the machine
/// that decides about registrations.
///
/// It acknowledges a message only after the centre has stored the message. It also acknowledges
/// and drops a message that cannot be decrypted or used: otherwise the distributor would send the
/// message again and again.
///
/// While no app is registered, it makes no call to a distributor.
///
/// It never reads the content of a decrypted message.
///
/// Source: UnifiedPush/specifications, "D-Bus", DBUS_0.3.0.
public actor PushConnector: PushTransport, ReactorActor {
    /// The timeouts and pauses.
    public struct Timing: Sendable {
        /// How long a distributor may take to answer, including its start.
        public var answer: Duration = .seconds(15)
        /// How long an app's call waits for the endpoint.
        public var endpoint: Duration = .seconds(20)
        /// The pauses after temporary failures.
        public var retry = Backoff(first: .seconds(5), longest: .seconds(1_800))

        /// Makes the timing of a daemon.
        public init() {}
    }

    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    let connection: BusConnection
    let service: BusName
    let timing: Timing
    var machine: ConnectorMachine
    private var center: (any PushCenter)?
    /// The gate at which calls wait until the centre accepts messages.
    private var readiness = AsyncGate<Void>()
    private var waiters: [UInt64: Promise<Result<PushRegistration, NotificationError>>] = [:]
    private var lastWaiter: UInt64 = 0
    private var names: BusSubscription?
    /// The number of signalled changes, so that an older list of names does not undo a change.
    private var nameChanges = 0
    private(set) var unreadableCount = 0

    /// Makes a connector.
    ///
    /// `service` is the daemon's bus name; by this name a distributor can start the daemon for a
    /// message. `distributor` is the name of the distributor from the environment; nil if the
    /// environment names no distributor.
    public init(
        connection: BusConnection, service: BusName, distributor: String?,
        timing: Timing = Timing()
    ) {
        self.connection = connection
        self.service = service
        self.timing = timing
        reactor = connection.reactor
        machine = ConnectorMachine(preset: distributor)
    }

    // MARK: PushTransport

    /// Offers the object that distributors call; their calls wait for `start(_:)`.
    ///
    /// - Throws: `protocolViolation` if another object is at the path.
    public func prepare() async throws(NotificationError) {
        // The centre and this connector refer to each other. Without this handler they would keep
        // each other alive after the daemon has connected to another bus.
        await connection.onStateChange { [weak self] state in
            guard case .closed = state else { return }
            self?.assumeIsolated { $0.center = nil }
        }
        do throws(BusError) {
            try await connection.export(
                ExportedObject(interfaces: interfaces), at: UnifiedPush.connectorPath)
        } catch {
            throw NotificationError(.protocolViolation, error.message)
        }
    }

    /// Registers the stored apps again, and passes on messages.
    ///
    /// - Throws: `storeUnavailable` if the registrations cannot be read.
    public func start(_ center: any PushCenter) async throws(NotificationError) {
        let registrations = try await center.pushRegistrations()
        let chosen = try await center.chosenDistributor()
        self.center = center
        perform(machine.load(registrations, chosen: chosen))
        readiness.open(())
        // The start does not wait for this task, because the bus may be slow to list the names.
        Task { await followNames() }
    }

    /// Registers an app, and returns its subscription.
    ///
    /// - Throws: The errors of `PushTransport.register(_:name:serverKey:)`.
    public func register(
        _ app: ApplicationID, name: String, serverKey: String?
    ) async throws(NotificationError) -> [UInt8] {
        if let serverKey { try Self.check(serverKey) }
        await readiness.valuePromise().value()
        await refreshNames()
        lastWaiter += 1
        let (waiter, answer) = (lastWaiter, Promise<Result<PushRegistration, NotificationError>>())
        waiters[waiter] = answer
        let end = deadline(after: timing.endpoint) { $0.perform($0.machine.waiterExpired(waiter)) }
        defer { end.cancel() }
        let keys = PushKeys()
        perform(
            machine.register(
                app, name: name, serverKey: serverKey,
                fresh: .init(
                    token: UUID().uuidString.lowercased(), privateKey: keys.privateKey,
                    authenticationSecret: keys.authenticationSecret),
                waiter: waiter))
        return try Self.subscription(of: try await answer.value().get())
    }

    /// Ends an app's registration.
    ///
    /// If the store fails, no message reaches the app any more, but the daemon's next start
    /// registers the app again. Another call of this method then repeats the removal.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func unregister(_ app: ApplicationID) async throws(NotificationError) {
        await readiness.valuePromise().value()
        // Forget the app first: an endpoint that arrives during the removal would be stored again.
        perform(machine.unregister(app))
        try await center?.removePushRegistration(of: app)
    }

    /// Chooses the distributor; nil leaves the choice to the connector.
    ///
    /// - Throws: `noDistributor` if no such distributor runs or can be started; `noSpace` or
    ///   `storeUnavailable` if the store fails.
    public func chooseDistributor(_ name: String?) async throws(NotificationError) {
        await readiness.valuePromise().value()
        await refreshNames()
        let name = name.map(UnifiedPush.name(of:))
        if let name, !machine.choice.isAvailable(name) {
            let list = machine.choice.available
            let found =
                list.isEmpty
                ? "Install one first, such as KUnifiedPush."
                : "Choose one of these: \(list.joined(separator: ", "))."
            throw NotificationError(
                .noDistributor,
                "No push distributor \(name.quotedForMessage()) runs or can be started. \(found)")
        }
        try await center?.saveChosenDistributor(name)
        perform(machine.choiceChanged(name))
    }

    /// Reads the registrations again after an app has changed its id.
    public func registrationsMoved() async {
        do throws(NotificationError) {
            guard let registrations = try await center?.pushRegistrations() else { return }
            machine.reload(registrations)
        } catch {
            Log.push.error("the registrations were not read again: \(error.message)")
        }
    }

    /// The present state.
    public func status() -> PushStatus {
        var status = machine.status
        status.unreadableCount = unreadableCount
        return status
    }

    /// Checks the form of a public VAPID key: 65 bytes in Base64URL, without padding.
    private static func check(_ serverKey: String) throws(NotificationError) {
        let alphabet = serverKey.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard serverKey.utf8.count == 87, alphabet else {
            throw NotificationError(
                .invalidArgument,
                "The server's key \(serverKey.quotedForMessage()) cannot be used: a public VAPID "
                    + "key has 87 characters of Base64URL, without padding. Copy the public key "
                    + "of the server's key pair.")
        }
    }

    private static func subscription(
        of registration: PushRegistration
    ) throws(NotificationError) -> [UInt8] {
        do throws(WebPushError) {
            let keys = try PushKeys(registration)
            return try PushSubscription(
                endpoint: registration.endpoint ?? "", publicKey: keys.publicKey,
                authenticationSecret: keys.authenticationSecret
            ).json
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The stored keys of \(registration.app) for remote notifications are damaged "
                    + "(\(error)). Unregister the app, and register it again.")
        }
    }

    // MARK: Names

    private func followNames() async {
        let rule = MatchRule(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", argument0Namespace: UnifiedPush.namespace)
        do throws(BusError) {
            names = try await connection.subscribe(rule) { [weak self] signal in
                self?.assumeIsolated { $0.ownerChanged(signal) }
            }
            await refreshNames()
        } catch {
            Log.push.debug("changes of distributors are not noticed: \(error.message)")
        }
    }

    private func ownerChanged(_ signal: BusSignal) {
        guard signal.arguments.count == 3, let name = signal.arguments[0].stringValue,
            let owner = signal.arguments[2].stringValue
        else { return }
        nameChanges += 1
        var running = machine.choice.running
        if owner.isEmpty { running.remove(name) } else { running.insert(name) }
        perform(
            machine.servicesChanged(
                running: running, activatable: machine.choice.activatable))
    }

    /// Lists the distributors: the bus does not report when a distributor becomes activatable.
    private func refreshNames() async {
        var changes: Int
        repeat {
            changes = nameChanges
            do throws(BusError) {
                let found = try await connection.services(in: UnifiedPush.namespace)
                guard changes == nameChanges else { continue }
                perform(
                    machine.servicesChanged(
                        running: found.running, activatable: found.activatable))
            } catch {
                Log.push.debug("distributors are not listed: \(error.message)")
            }
        } while changes != nameChanges
    }

    // MARK: Effects

    func perform(_ effects: [ConnectorMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .inspect(let name): inspect(name)
            case .save(let registration): save(registration)
            case .remove(let app): remove(app)
            case .register(let call): register(call)
            case .unregister(let token, let distributor): unregister(token, from: distributor)
            case .answer(let numbers, let result):
                for number in numbers { waiters.removeValue(forKey: number)?.fulfill(result) }
            case .report(let app, let registration): report(registration, to: app)
            case .retry(let token, let failures):
                deadline(after: retryPause(afterFailures: failures)) {
                    $0.perform($0.machine.retryDue(token))
                }
            case .retryInspection(let failures):
                deadline(after: retryPause(afterFailures: failures)) {
                    $0.perform($0.machine.inspectionDue(afterFailures: failures))
                }
            }
        }
    }

    private func retryPause(afterFailures failures: Int) -> Duration {
        timing.retry.pause(afterFailures: failures, fraction: Double.random(in: 0...1))
    }

    private func save(_ registration: PushRegistration) {
        guard let center else { return }
        Task {
            // If the registration ended before this task began, its removal may be done already.
            // Storing the registration now would bring it back.
            guard machine.registration(of: registration.token) != nil else { return }
            do throws(NotificationError) {
                try await center.save(registration)
                perform(machine.saved(registration.token))
            } catch {
                Log.push.error(
                    "the registration of \(registration.app) was not stored: \(error.message)")
                perform(machine.saveFailed(registration.token, error))
            }
        }
    }

    private func remove(_ app: ApplicationID) {
        guard let center else { return }
        Task {
            do throws(NotificationError) {
                try await center.removePushRegistration(of: app)
            } catch {
                // The daemon's next start registers the app again. That does no harm, because no
                // server knows the new endpoint.
                Log.push.error("the registration of \(app) was not removed: \(error.message)")
            }
        }
    }

    private func report(_ registration: PushRegistration?, to app: ApplicationID) {
        guard let center else { return }
        Task {
            do throws(NotificationError) {
                let subscription = try registration.map(Self.subscription)
                await center.subscriptionChanged(subscription, of: app)
            } catch {
                Log.push.error("\(error.message)")
            }
        }
    }

    // MARK: Messages

    /// Decrypts a message and stores it; returns when the message may be acknowledged.
    ///
    /// - Throws: The error of the store or of a quota; the distributor then repeats the message.
    func receive(_ message: PushMessage) async throws(NotificationError) {
        await readiness.valuePromise().value()
        guard let center, let registration = machine.registration(of: message.token) else { return }
        let app = registration.app
        let payload: [UInt8]
        do throws(WebPushError) {
            payload = try MessageEncryption.decrypt(message.body, with: PushKeys(registration))
        } catch {
            unreadableCount += 1
            Log.push.error("a push for \(app) could not be decrypted and is dropped: \(error)")
            return
        }
        do throws(NotificationError) {
            try await center.receivePush(payload, key: Self.key(of: message), for: app)
        } catch {
            guard error.code == .invalidArgument else { throw error }
            unreadableCount += 1
            Log.push.error("a push for \(app) is dropped: \(error.message)")
        }
    }

    /// The key by which the centre recognizes copies of a message.
    ///
    /// Each message has a random salt, so only copies have the same hash. The id is no part of the
    /// key, because a distributor may use the same ids again after a restart.
    private static func key(of message: PushMessage) -> String {
        SHA256.hash(data: message.body).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 2 ? text : "0" + text
        }.joined()
    }

    func endpointReported(_ endpoint: PushEndpoint, by sender: BusName) async {
        await readiness.valuePromise().value()
        // Check the sender, because the endpoint is stored with the name of the present
        // distributor.
        guard await mayReport(on: endpoint.token, sender) else { return }
        perform(machine.endpointReported(endpoint))
    }

    func unregistrationReported(_ token: String, by sender: BusName) async {
        await readiness.valuePromise().value()
        guard await mayReport(on: token, sender) else { return }
        perform(machine.unregistrationReported(token))
    }
}

extension PushKeys {
    init(_ registration: PushRegistration) throws(WebPushError) {
        try self.init(
            privateKey: registration.privateKey,
            authenticationSecret: registration.authenticationSecret)
    }
}

enum Log {
    static let push = Logger(label: "tocsin.push")
}
