package import DesktopBus
internal import Foundation
internal import Reactor

/// A UnifiedPush distributor on a private bus; the test acts as its push service.
///
/// It owns the registered tokens and their endpoints.
///
/// It promises the hardest order that the specification allows: it sends `NewEndpoint` before it
/// answers `Register`.
///
/// It never reads the content of a message.
package actor ScriptedDistributor {
    /// A call of `Register`.
    package struct Registration: Hashable, Sendable {
        /// The bus name to which messages go.
        package var service: String
        /// The random token of the app's registration.
        package var token: String
        /// The name of the app for the user.
        package var description: String
        /// The public key of the app's server; empty for none.
        package var serverKey: String
    }

    private let connection: BusConnection
    private let bus: PrivateBus
    private let version: Int
    private let name: BusName
    private var refusals: [String] = []
    private var services: [String: BusName] = [:]
    private var host = "https://push.example"
    /// The calls of `Register`, in order.
    package nonisolated let registrations = Recording<Registration>()
    /// The tokens of the calls of `Unregister`, in order.
    package nonisolated let unregistrations = Recording<String>()

    private static let path: ObjectPath = "/org/unifiedpush/Distributor"
    private static let connector: ObjectPath = "/org/unifiedpush/Connector"

    private init(
        _ connection: BusConnection, on bus: PrivateBus, version: Int, name: BusName
    ) {
        self.connection = connection
        self.bus = bus
        self.version = version
        self.name = name
    }

    /// Starts the distributor; it has the registrations in `knowing`, as if it had run before.
    ///
    /// It refuses one registration for each reason in `refusing`, and accepts all later ones.
    package static func start(
        on bus: PrivateBus, version: Int = 2, name: String = "scripted", refusing: [String] = [],
        knowing registrations: [Registration] = []
    ) async throws -> ScriptedDistributor {
        let connection = try await BusConnection.open(on: bus, name: "distributor")
        let busName = try BusName("org.unifiedpush.Distributor.\(name)")
        let distributor = ScriptedDistributor(
            connection, on: bus, version: version, name: busName)
        try await distributor.offer(refusing: refusing, knowing: registrations)
        try await connection.requestName(busName)
        return distributor
    }

    /// The endpoint of a token.
    package func endpoint(of token: String) -> String { "\(host)/\(token)" }

    /// Sends a message as a push service delivers it, and returns the id that the reply repeats.
    ///
    /// In version 1 there is no reply, so the result is nil.
    @discardableResult
    package func send(
        _ body: [UInt8], to token: String, id: String = "1"
    ) async throws -> String? {
        let reply = try await call(
            "Message",
            version == 2
                ? [
                    .vardict([
                        ("token", .string(token)), ("message", .bytes(body)), ("id", .string(id)),
                    ])
                ] : [.string(token), .bytes(body), .string(id)], for: token)
        return reply?.arguments.first?.vardictValue?["id"]?.stringValue
    }

    /// Calls `Message` with these arguments, which may break the rules, and returns the answer.
    package func sendRaw(_ arguments: [BusValue], to token: String) async throws -> BusReply? {
        try await call("Message", arguments, for: token)
    }

    /// Gives later registrations endpoints at this host.
    package func place(at host: String) { self.host = host }

    /// Moves all endpoints to another host, and reports them.
    package func move(to host: String) async throws {
        self.host = host
        for token in services.keys.sorted() { try await reportEndpoint(of: token) }
    }

    /// Ends a registration, as a user may do in the distributor's window.
    package func drop(_ token: String) async throws {
        let arguments: [BusValue] =
            version == 2 ? [.vardict([("token", .string(token))])] : [.string(token)]
        _ = try await call("Unregistered", arguments, for: token)
        services[token] = nil
    }

    /// Also takes the bus name of the distributor `name`.
    package func takeName(_ name: String) async throws {
        try await connection.requestName(BusName("org.unifiedpush.Distributor.\(name)"))
    }

    /// Leaves the bus as in a crash; its name is free afterwards.
    package func stop() async {
        let former = await connection.uniqueName
        await connection.close()
        await BusConnection.wait(until: name, leaves: former, on: bus)
    }

    // MARK: The interface

    private func offer(refusing: [String], knowing: [Registration]) async throws {
        refusals = refusing
        for known in knowing { services[known.token] = try BusName(known.service) }
        let table = version == 2 ? version2 : version1
        try await connection.export(ExportedObject(interfaces: [table]), at: Self.path)
    }

    private var version2: InterfaceTable {
        let (input, output) = ([ArgumentEntry("in", "a{sv}")], [ArgumentEntry("out", "a{sv}")])
        return InterfaceTable(
            name: "org.unifiedpush.Distributor2",
            methods: [
                MethodEntry("Register", in: input, out: output) { [weak self] call in
                    let values = call.arguments[0].vardictValue ?? [:]
                    let refusal = try await self?.register(
                        Registration(
                            service: values["service"]?.stringValue ?? "",
                            token: values["token"]?.stringValue ?? "",
                            description: values["description"]?.stringValue ?? "",
                            serverKey: values["vapid"]?.stringValue ?? ""))
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
                        call.arguments[0].vardictValue?["token"]?.stringValue ?? "")
                    return [.vardict([])]
                },
            ])
    }

    private var version1: InterfaceTable {
        func texts(_ names: String...) -> [ArgumentEntry] { names.map { ArgumentEntry($0, "s") } }
        return InterfaceTable(
            name: "org.unifiedpush.Distributor1",
            methods: [
                MethodEntry(
                    "Register", in: texts("service", "token", "description"),
                    out: texts("result", "reason")
                ) { [weak self] call in
                    let words = call.arguments.map { $0.stringValue ?? "" }
                    let refusal = try await self?.register(
                        Registration(
                            service: words[0], token: words[1], description: words[2],
                            serverKey: ""))
                    return [
                        .string(
                            refusal == nil ? "REGISTRATION_SUCCEEDED" : "REGISTRATION_FAILED"),
                        .string(refusal ?? ""),
                    ]
                },
                MethodEntry("Unregister", in: texts("token")) { [weak self] call in
                    await self?.unregister(call.arguments[0].stringValue ?? "")
                    return []
                },
            ])
    }

    /// Returns the reason of a refusal; nil after a success.
    private func register(_ registration: Registration) async throws -> String? {
        registrations.append(registration)
        if !refusals.isEmpty { return refusals.removeFirst() }
        services[registration.token] = try BusName(registration.service)
        try await reportEndpoint(of: registration.token)
        return nil
    }

    private func unregister(_ token: String) {
        unregistrations.append(token)
        services[token] = nil
    }

    private func reportEndpoint(of token: String) async throws {
        let url = BusValue.string(endpoint(of: token))
        let arguments: [BusValue] =
            version == 2
            ? [.vardict([("token", .string(token)), ("endpoint", url)])] : [.string(token), url]
        _ = try await call("NewEndpoint", arguments, for: token, awaitsReply: false)
    }

    /// Calls the connector; in version 1 no call waits for a reply.
    private func call(
        _ member: MemberName, _ arguments: [BusValue], for token: String, awaitsReply: Bool = true
    ) async throws -> BusReply? {
        guard let service = services[token] else {
            throw HarnessError("the distributor does not know \(token)")
        }
        let interface: InterfaceName =
            version == 2 ? "org.unifiedpush.Connector2" : "org.unifiedpush.Connector1"
        let call = MethodCall(
            destination: service, path: Self.connector, interface: interface, member: member,
            arguments: arguments)
        guard version == 2, awaitsReply else {
            try await connection.send(call)
            return nil
        }
        return try await connection.call(call)
    }
}
