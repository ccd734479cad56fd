internal import DesktopBus
internal import Logging
internal import NotificationModel
internal import Reactor

// The calls to the distributor.
extension PushConnector {
    /// Reads the introspection of a distributor; the bus starts the distributor if necessary.
    func inspect(_ name: String) {
        guard let destination = try? BusName(name) else {
            return perform(machine.inspected(name, nil))
        }
        let call = MethodCall(
            destination: destination, path: UnifiedPush.distributorPath,
            interface: "org.freedesktop.DBus.Introspectable", member: "Introspect")
        connection.call(call, timeout: timing.answer) { [weak self] result in
            let text = (try? result.get())?.arguments.first?.stringValue
            if case .failure(let error) = result {
                Log.push.warning("the push distributor does not answer: \(error.message)")
            }
            self?.assumeIsolated {
                $0.perform(
                    $0.machine.inspected(
                        name, text.flatMap(UnifiedPush.Version.init(introspection:))))
            }
        }
    }

    func register(_ call: ConnectorMachine.RegisterCall) {
        guard let version = call.distributor.version else { return }
        let arguments: [BusValue]
        switch version {
        case .two:
            var entries: [(String, BusValue)] = [
                ("service", .string(service.rawValue)), ("token", .string(call.token)),
                ("description", .string(call.description)),
            ]
            if let key = call.serverKey { entries.append(("vapid", .string(key))) }
            arguments = [.vardict(entries)]
        case .one:
            arguments = [
                .string(service.rawValue), .string(call.token), .string(call.description),
            ]
        }
        self.call("Register", arguments, of: call.distributor, version) { connector, result in
            connector.perform(
                connector.machine.registerAnswered(call, RegisterOutcome(result, version: version)))
        }
    }

    func unregister(_ token: String, from distributor: ConnectorMachine.Distributor) {
        guard let version = distributor.version else { return }
        let arguments: [BusValue] =
            switch version {
            case .two: [.vardict([("token", .string(token))])]
            case .one: [.string(token)]
            }
        call("Unregister", arguments, of: distributor, version) { _, result in
            // The connector ignores later messages with this token, so a failure is harmless.
            if case .failure(let error) = result {
                let name = UnifiedPush.name(of: distributor.name)
                Log.push.notice(
                    """
                    the push distributor \(name) did not confirm the end of a registration: \
                    \(error.message)
                    """)
            }
        }
    }

    private func call(
        _ member: MemberName, _ arguments: [BusValue],
        of distributor: ConnectorMachine.Distributor, _ version: UnifiedPush.Version,
        done: @escaping @Sendable (isolated PushConnector, Result<BusReply, BusError>) -> Void
    ) {
        guard let destination = try? BusName(distributor.name) else { return }
        let call = MethodCall(
            destination: destination, path: UnifiedPush.distributorPath,
            interface: version.distributor, member: member, arguments: arguments)
        connection.call(call, timeout: timing.answer) { [weak self] result in
            self?.assumeIsolated { done($0, result) }
        }
    }
}

extension PushConnector {
    /// Whether to accept a sender's report on a token: a new endpoint, or the end of the
    /// registration.
    ///
    /// The token must be known. A sender that owns the names of running distributors must also own
    /// the name of the present distributor.
    ///
    /// The second rule excludes a distributor that the user left. That distributor may still send
    /// an endpoint, or confirm `Unregister`, after the app has moved to the present distributor.
    func mayReport(on token: String, _ sender: BusName) async -> Bool {
        // Check the token first, because an unknown sender must not cause calls to the bus.
        guard machine.registration(of: token) != nil else { return false }
        let running = machine.choice.running
        // If only the present distributor runs, accept the report without asking the bus.
        guard running.contains(where: { $0 != machine.current?.name }) else { return true }
        var owned: Set<String> = []
        for name in running.sorted() {
            do throws(BusError) {
                if try await connection.owner(of: BusName(name)) == sender { owned.insert(name) }
            } catch {
                Log.push.debug("the owner of \(name) is not known: \(error.message)")
            }
        }
        // Compare only now, because the user may choose another distributor during the calls.
        return owned.isEmpty || owned.contains(machine.current?.name ?? "")
    }
}

// The object that distributors call.
extension PushConnector {
    /// Both versions of the interface; a call with a malformed field has no effect.
    nonisolated var interfaces: [InterfaceTable] { [version2, version1] }

    /// Gets the entries and the sender of a call, and returns the entries of the reply.
    private typealias DictionaryHandler =
        nonisolated(nonsending) @Sendable ([String: BusValue], BusName) async throws
        -> [(String, BusValue)]

    private nonisolated var version2: InterfaceTable {
        let dictionary = [ArgumentEntry("arguments", "a{sv}")]
        func method(
            _ name: MemberName, _ handle: @escaping DictionaryHandler
        ) -> MethodEntry {
            MethodEntry(name, in: dictionary, out: [ArgumentEntry("results", "a{sv}")]) {
                let values = $0.arguments.first?.vardictValue ?? [:]
                return [.vardict(try await handle(values, $0.sender))]
            }
        }
        return InterfaceTable(
            name: UnifiedPush.Version.two.connector,
            methods: [
                method("Message") { values, _ in
                    let message = PushMessage(
                        token: values["token"], body: values["message"], id: values["id"])
                    guard let message else { return [] }
                    try await self.receive(message)
                    return message.id.map { [("id", .string($0))] } ?? []
                },
                method("NewEndpoint") { values, sender in
                    let endpoint = PushEndpoint(token: values["token"], url: values["endpoint"])
                    if let endpoint { await self.endpointReported(endpoint, by: sender) }
                    return []
                },
                method("Unregistered") { values, sender in
                    if let token = values["token"]?.stringValue {
                        await self.unregistrationReported(token, by: sender)
                    }
                    return []
                },
            ])
    }

    private nonisolated var version1: InterfaceTable {
        func text(_ name: String) -> ArgumentEntry { ArgumentEntry(name, "s") }
        return InterfaceTable(
            name: UnifiedPush.Version.one.connector,
            methods: [
                MethodEntry(
                    "Message",
                    in: [text("token"), ArgumentEntry("message", "ay"), text("id")]
                ) {
                    let message = PushMessage(
                        token: $0.arguments[0], body: $0.arguments[1], id: $0.arguments[2])
                    if let message { try await self.receive(message) }
                    return []
                },
                MethodEntry("NewEndpoint", in: [text("token"), text("endpoint")]) {
                    let endpoint = PushEndpoint(token: $0.arguments[0], url: $0.arguments[1])
                    if let endpoint { await self.endpointReported(endpoint, by: $0.sender) }
                    return []
                },
                MethodEntry("Unregistered", in: [text("token")]) {
                    if let token = $0.arguments[0].stringValue {
                        await self.unregistrationReported(token, by: $0.sender)
                    }
                    return []
                },
            ])
    }
}
