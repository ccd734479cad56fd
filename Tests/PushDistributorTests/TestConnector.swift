import DesktopBus
import Foundation
import TestSupport

/// An app that speaks UnifiedPush, in either version of the interfaces.
actor TestConnector {
    struct Message: Hashable, Sendable {
        var token: String
        var body: [UInt8]
        var id: String
    }

    nonisolated let messages = Recording<Message>()
    nonisolated let unregistrations = Recording<String>()
    private nonisolated let endpoints = Recording<[String]>()

    private static let service: BusName = "org.example.Reader"
    private static let distributor: BusName = "org.unifiedpush.Distributor.tocsin"
    private static let path: ObjectPath = "/org/unifiedpush/Distributor"

    private let connection: BusConnection
    private let version: Int
    private var heldAnswers: [CheckedContinuation<Void, Never>]?

    init(on bus: PrivateBus, version: Int) async throws {
        connection = try await BusConnection.open(on: bus, name: "app")
        self.version = version
        try await connection.export(
            ExportedObject(interfaces: [table()]), at: "/org/unifiedpush/Connector")
        try await connection.requestName(Self.service)
    }

    func close() async { await connection.close() }

    /// Registers, and returns the endpoint.
    func register(_ token: String) async throws -> String {
        let reply = try await connection.call(registration(token))
        let first = reply.arguments.first
        let word = version == 2 ? first?.vardictValue?["success"] : first
        guard word?.stringValue == "REGISTRATION_SUCCEEDED" else {
            throw HarnessError("the answer is \(reply.arguments)")
        }
        return try await endpoints.first("the endpoint") { $0[0] == token }[1]
    }

    /// Registers, and unregisters without waiting for the answer.
    func registerAndUnregister(_ token: String) async throws {
        connection.call(registration(token)) { _ in }
        try await unregister(token)
    }

    private func registration(_ token: String) -> MethodCall {
        let words = [Self.service.rawValue, token, "Reader"].map { BusValue.string($0) }
        let dictionary = zip(["service", "token", "description"], words).map { ($0, $1) }
        return call("Register", version == 2 ? [.vardict(dictionary)] : words)
    }

    func unregister(_ token: String) async throws {
        let value = BusValue.string(token)
        _ = try await connection.call(
            call("Unregister", version == 2 ? [.vardict([("token", value)])] : [value]))
    }

    /// Holds back the answers to messages until `answer` is called.
    func holdAnswers() { heldAnswers = [] }

    /// Gives the answers that were held back, and gives all later answers at once.
    func answer() {
        for answer in heldAnswers ?? [] { answer.resume() }
        heldAnswers = nil
    }

    private func untilAnswered() async {
        guard heldAnswers != nil else { return }
        await withCheckedContinuation { heldAnswers?.append($0) }
    }

    private func call(_ member: MemberName, _ arguments: [BusValue]) -> MethodCall {
        MethodCall(
            destination: Self.distributor, path: Self.path,
            interface: version == 2
                ? "org.unifiedpush.Distributor2" : "org.unifiedpush.Distributor1",
            member: member, arguments: arguments)
    }

    /// A call's arguments by name, in either version of the interface.
    private static func values(_ call: MethodInvocation, _ names: [String]) -> [String: BusValue] {
        if let values = call.arguments.first?.vardictValue { return values }
        return Dictionary(zip(names, call.arguments)) { first, _ in first }
    }

    private nonisolated func table() -> InterfaceTable {
        func method(
            _ name: MemberName, _ arguments: [(String, Signature)],
            _ body: @escaping @Sendable ([String: BusValue]) async -> [(String, BusValue)]
        ) -> MethodEntry {
            let names = arguments.map(\.0)
            let isDictionary = version == 2
            return MethodEntry(
                name,
                in: isDictionary
                    ? [ArgumentEntry("in", "a{sv}")]
                    : arguments.map { ArgumentEntry($0.0, $0.1) },
                out: isDictionary ? [ArgumentEntry("out", "a{sv}")] : []
            ) { call in
                let values = await body(Self.values(call, names))
                return isDictionary ? [.vardict(values)] : []
            }
        }
        return InterfaceTable(
            name: version == 2 ? "org.unifiedpush.Connector2" : "org.unifiedpush.Connector1",
            methods: [
                method("Message", [("token", "s"), ("message", "ay"), ("id", "s")]) { values in
                    let message = Message(
                        token: values["token"]?.stringValue ?? "",
                        body: values["message"]?.bytesValue ?? [],
                        id: values["id"]?.stringValue ?? "")
                    self.messages.append(message)
                    await self.untilAnswered()
                    return [("id", .string(message.id))]
                },
                method("NewEndpoint", [("token", "s"), ("endpoint", "s")]) { values in
                    self.endpoints.append([
                        values["token"]?.stringValue ?? "", values["endpoint"]?.stringValue ?? "",
                    ])
                    return []
                },
                method("Unregistered", [("token", "s")]) { values in
                    self.unregistrations.append(values["token"]?.stringValue ?? "")
                    return []
                },
            ])
    }
}
