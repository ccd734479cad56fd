package import DesktopBus
internal import Foundation
internal import Logging
package import NotificationModel
internal import PushConnector
package import Reactor

/// A push distributor of UnifiedPush on the session bus; it gets its messages from ntfy servers.
///
/// It owns its name on the bus, the streams of the servers, and the machine that decides.
///
/// A registration is on disk before the app gets its endpoint. After a crash or a lost network, the
/// distributor requests again the messages that apps have not taken. It gives a message up when the
/// last attempt to deliver the message has failed.
///
/// It never reads a message, because messages are encrypted for the app.
///
/// Source: UnifiedPush/specifications, "D-Bus", DBUS_0.3.0; docs.ntfy.sh, "UnifiedPush".
package actor Distributor: ReactorActor {
    /// The bus name of the distributor.
    package static let name: BusName = "org.unifiedpush.Distributor.tocsin"
    /// How long an app may take to answer, including its start.
    private static let answerTimeout = Duration.seconds(30)
    /// The number of random characters after `up`; ntfy recognizes UnifiedPush topics by this form.
    private static let topicLength = 12
    private static let topicAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    /// The reactor of the connection.
    package nonisolated let reactor: Reactor
    private let connection: BusConnection
    private let stateFile: String
    private let configurationFile: String
    private let log = Logger(label: "tocsin.distributor")
    private var machine: DistributorMachine
    private var streams: [String: Task<Void, Never>] = [:]
    /// Keeps the calls of each sender in order, although `Register` waits for the bus.
    private var calls = KeyedSemaphore<BusName>()

    /// Makes a distributor with the registrations of its earlier runs.
    ///
    /// - Throws: `storeUnavailable` if the registrations cannot be read.
    package init(
        _ connection: BusConnection, stateFile: String, configurationFile: String
    ) throws(NotificationError) {
        self.connection = connection
        self.stateFile = stateFile
        self.configurationFile = configurationFile
        reactor = connection.reactor
        machine = DistributorMachine(try DistributorState(file: stateFile))
    }

    /// Offers the distributor on the bus, and opens the streams of the registered apps.
    ///
    /// - Throws: `noBus` if another program has the name, or the bus is lost.
    package func start() async throws(NotificationError) {
        do throws(BusError) {
            try await connection.export(
                ExportedObject(interfaces: [version2, version1]),
                at: UnifiedPush.distributorPath)
            try await connection.requestName(Self.name)
        } catch {
            throw NotificationError(.noBus, "The distributor cannot start: \(error.message)")
        }
        performOrLog(machine.start())
    }

    /// Closes the streams.
    package func stop() {
        for stream in streams.values { stream.cancel() }
        streams = [:]
    }

    // MARK: Registrations

    /// Registers an app; returns nil, or the specification's word for the reason of a refusal.
    private func register(
        service: String?, token: String?, version: UnifiedPush.Version, by sender: BusName
    ) async -> String? {
        guard let service, let name = try? BusName(service), let token,
            Limits.pushToken.contains(token.utf8.count)
        else { return "INTERNAL_ERROR" }
        if let turn = calls.acquire(sender) { await turn.value() }
        defer { calls.release(sender) }
        do throws(BusError) {
            guard try await admit(sender, as: name, token) else { return "UNAUTHORIZED" }
        } catch {
            log.warning("\(service) cannot be registered: \(error.message)")
            return "INTERNAL_ERROR"
        }
        let server: String
        do throws(NotificationError) {
            try machine.checkRoom(for: token, of: service)
            guard let chosen = try DistributorConfiguration(file: configurationFile).server else {
                log.warning(
                    """
                    \(service) cannot be registered: no server is chosen. Run \
                    'tocsin-distributor --server https://…'.
                    """)
                return "ACTION_REQUIRED"
            }
            server = chosen
        } catch {
            log.error("\(error.message)")
            return "ACTION_REQUIRED"
        }
        let former = machine
        let topic = String(
            (0..<Self.topicLength).map { _ in
                Self.topicAlphabet[Int.random(in: Self.topicAlphabet.indices)]
            })
        let effects = machine.register(
            service: service, token: token, version: version.rawValue, server: server,
            topic: "up" + topic)
        do throws(NotificationError) {
            try perform(effects)
            return nil
        } catch {
            machine = former
            log.error("\(error.message)")
            return "INTERNAL_ERROR"
        }
    }

    /// Whether a caller may register this service; the caller must own the service's name.
    ///
    /// The specification lets apps register only their own names. If no further registration is
    /// allowed, this also ends the registrations of services that nobody can call any more.
    ///
    /// Without these two steps, one program could use up all registrations. It could use the names
    /// of other apps, or names of its own that it releases again.
    private func admit(
        _ sender: BusName, as service: BusName, _ token: String
    ) async throws(BusError) -> Bool {
        guard try await connection.owner(of: service) == sender else { return false }
        if machine.isFull(for: token) {
            let services = try await connection.services()
            performOrLog(
                machine.endRegistrations(
                    except: services.running.union(services.activatable)))
        }
        return true
    }

    private func unregister(_ token: String?, by sender: BusName) async {
        guard let token else { return }
        if let turn = calls.acquire(sender) { await turn.value() }
        defer { calls.release(sender) }
        performOrLog(machine.unregister(token))
    }

    // MARK: Effects

    private func performOrLog(_ effects: [DistributorMachine.Effect]) {
        // Perform each effect alone: after a failed write, the streams must still be opened.
        for effect in effects {
            do throws(NotificationError) {
                try perform([effect])
            } catch {
                // The next change writes the whole state again.
                log.error("\(error.message)")
            }
        }
    }

    private func perform(_ effects: [DistributorMachine.Effect]) throws(NotificationError) {
        var failure: NotificationError?
        for effect in effects {
            switch effect {
            case .save:
                do throws(NotificationError) {
                    try machine.state.write(stateFile)
                } catch {
                    failure = error
                }
            case .sendEndpoint(let registration):
                send("NewEndpoint", registration, [("endpoint", .string(registration.endpoint))])
            case .sendUnregistered(let registration): send("Unregistered", registration, [])
            case .deliver(let message, let registration, let attempt, let pause):
                deliver(message, to: registration, attempt: attempt, after: pause)
            case .connect(let server, let topics, let since, let pause):
                connect(server, topics, since: since, after: pause)
            case .disconnect(let server): streams.removeValue(forKey: server)?.cancel()
            }
            if let failure { throw failure }
        }
    }

    /// Calls the app without waiting for its answer.
    private func send(
        _ member: MemberName, _ registration: DistributorState.Registration,
        _ values: [(String, BusValue)]
    ) {
        do {
            try connection.assumeIsolated { connection in
                try connection.send(try Self.call(member, registration, values))
            }
        } catch {
            log.warning("\(registration.service) cannot be called: \(error)")
        }
    }

    private static func call(
        _ member: MemberName, _ registration: DistributorState.Registration,
        _ values: [(String, BusValue)]
    ) throws -> MethodCall {
        let version = UnifiedPush.Version(rawValue: registration.version) ?? .two
        let token = BusValue.string(registration.token)
        return MethodCall(
            destination: try BusName(registration.service), path: UnifiedPush.connectorPath,
            interface: version.connector, member: member,
            arguments: version == .two
                ? [.vardict([("token", token)] + values)] : [token] + values.map(\.1))
    }

    // MARK: Messages

    private func deliver(
        _ message: NtfyMessage, to registration: DistributorState.Registration, attempt: Int,
        after pause: Duration
    ) {
        guard pause == .zero else {
            deadline(after: pause) {
                $0.deliver(message, to: registration, attempt: attempt, after: .zero)
            }
            return
        }
        let done: @Sendable (isolated Distributor, Bool) -> Void = { distributor, isTaken in
            distributor.performOrLog(
                distributor.machine.delivered(
                    message, to: registration, attempt: attempt, isTaken: isTaken))
        }
        let values: [(String, BusValue)] = [
            ("message", .bytes(message.body)), ("id", .string(message.id)),
        ]
        do {
            let call = try Self.call("Message", registration, values)
            try connection.assumeIsolated { connection in
                guard registration.version != 1 else {
                    // In version 1, the app does not answer, so the message counts as taken.
                    try connection.send(call)
                    return
                }
                connection.call(call, timeout: Self.answerTimeout) { [weak self] result in
                    self?.onReactor { distributor in
                        if case .failure(let error) = result {
                            distributor.log.warning(
                                "\(registration.service) does not take a message: \(error.message)")
                        }
                        done(distributor, (try? result.get()) != nil)
                    }
                }
            }
            if registration.version == 1 { done(self, true) }
        } catch {
            log.warning("\(registration.service) cannot be called: \(error)")
            done(self, false)
        }
    }

    private func connect(
        _ server: String, _ topics: [String], since: String, after pause: Duration
    ) {
        deadline(after: DistributorMachine.openingTime) {
            $0.performOrLog($0.machine.openingExpired(server))
        }
        streams[server]?.cancel()
        streams[server] = Task { [weak self] in
            do {
                // A part of the pause is random, so that a server gets its clients back gradually.
                try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
                try await self?.follow(server, topics, since: since)
            } catch {
                await self?.streamEnded(server, error)
            }
        }
    }

    /// Passes the events of a server to the machine until the connection ends, and then throws.
    private func follow(_ server: String, _ topics: [String], since: String) async throws {
        let token = try DistributorConfiguration(file: configurationFile).accessTokens[server]
        guard
            let stream = NtfyStream(
                server: server, topics: topics, since: since, accessToken: token)
        else {
            throw NotificationError(
                .invalidArgument, "The server's address \(server.quotedForMessage()) is no URL.")
        }
        try await withTaskCancellationHandler {
            for try await event in stream.events {
                try Task.checkCancellation()
                performOrLog(machine.received(event, from: server))
            }
            throw NotificationError(.noServer, "the server closed the connection")
        } onCancel: {
            stream.close()
        }
    }

    private func streamEnded(_ server: String, _ error: any Error) {
        // A new stream may have replaced this stream while this task waited for the actor.
        guard !Task.isCancelled else { return }
        // The description of a `URLError` is a dictionary, which the user cannot read.
        let reason = (error is URLError ? error.localizedDescription : "\(error)")
            .trimmingCharacters(in: CharacterSet(charactersIn: "."))
        log.notice("the stream of \(server) has ended: \(reason). The distributor connects again.")
        performOrLog(machine.streamEnded(server))
    }
}

// The interfaces of the bus.
extension Distributor {
    private nonisolated var version2: InterfaceTable {
        let (input, output) = ([ArgumentEntry("in", "a{sv}")], [ArgumentEntry("out", "a{sv}")])
        return InterfaceTable(
            name: UnifiedPush.Version.two.distributor,
            methods: [
                MethodEntry("Register", in: input, out: output) { [weak self] call in
                    let values = call.arguments.first?.vardictValue ?? [:]
                    let refusal = await self?.register(
                        service: values["service"]?.stringValue,
                        token: values["token"]?.stringValue, version: .two, by: call.sender)
                    guard let refusal else {
                        return [.vardict([("success", .string("REGISTRATION_SUCCEEDED"))])]
                    }
                    return [
                        .vardict([
                            ("success", .string("REGISTRATION_FAILED")),
                            ("reason", .string(refusal)),
                        ])
                    ]
                },
                MethodEntry("Unregister", in: input, out: output) { [weak self] call in
                    await self?.unregister(
                        call.arguments.first?.vardictValue?["token"]?.stringValue, by: call.sender)
                    return [.vardict([])]
                },
            ])
    }

    private nonisolated var version1: InterfaceTable {
        func texts(_ names: String...) -> [ArgumentEntry] { names.map { ArgumentEntry($0, "s") } }
        return InterfaceTable(
            name: UnifiedPush.Version.one.distributor,
            methods: [
                MethodEntry(
                    "Register", in: texts("service", "token", "description"),
                    out: texts("result", "reason")
                ) { [weak self] call in
                    let refusal = await self?.register(
                        service: call.arguments[0].stringValue,
                        token: call.arguments[1].stringValue, version: .one, by: call.sender)
                    return [
                        .string(
                            refusal == nil ? "REGISTRATION_SUCCEEDED" : "REGISTRATION_FAILED"),
                        .string(refusal ?? ""),
                    ]
                },
                MethodEntry("Unregister", in: texts("token")) { [weak self] call in
                    await self?.unregister(call.arguments[0].stringValue, by: call.sender)
                    return []
                },
            ])
    }
}
