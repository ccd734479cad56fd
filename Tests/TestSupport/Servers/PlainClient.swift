package import DesktopBus

/// A client that calls the notification server directly.
///
/// It shows the behaviour of a server without our code in between.
package final class PlainClient: Sendable {
    /// A signal of the server.
    package enum Signal: Sendable, Equatable {
        case action(id: UInt32, key: String)
        case closed(id: UInt32, reason: UInt32)
        case token(id: UInt32, token: String)
        case replied(id: UInt32, text: String)
    }

    /// The signals of the name's owner, in order.
    package let signals = Recording<Signal>()
    private let connection: BusConnection
    private let subscription: Recording<BusSubscription>

    /// Connects and subscribes, so that no signal after the first `Notify` is missed.
    package init(on bus: PrivateBus) async throws {
        connection = try await BusConnection.open(on: bus, name: "plain-client")
        subscription = Recording()
        let rule = MatchRule(
            sender: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications")
        let signals = signals
        subscription.append(
            try await connection.subscribe(rule) { signal in
                if let known = Self.decode(signal) { signals.append(known) }
            })
    }

    /// Calls `Notify` and returns the server's id.
    package func notify(
        _ summary: String, body: String = "", actions: [(key: String, label: String)] = [],
        hints: [(String, BusValue)] = [], replacing id: UInt32 = 0, timeout: Int32 = 0
    ) async throws -> UInt32 {
        let reply = try await call(
            "Notify",
            [
                .string("Tests"), .uint32(id), .string(""), .string(summary), .string(body),
                .strings(actions.flatMap { [$0.key, $0.label] }), .vardict(hints), .int32(timeout),
            ])
        guard let id = reply.first?.uint32Value else {
            throw HarnessError("Notify answered \(reply), not an id")
        }
        return id
    }

    /// Calls `CloseNotification`.
    package func close(_ id: UInt32) async throws {
        _ = try await call("CloseNotification", [.uint32(id)])
    }

    /// Returns the server's capabilities.
    package func capabilities() async throws -> [String] {
        try await call("GetCapabilities", []).first?.stringsValue ?? []
    }

    /// Leaves the bus.
    package func disconnect() async {
        await connection.flush()
        await connection.close()
    }

    /// Calls any method of the server.
    package func call(_ member: MemberName, _ arguments: [BusValue]) async throws -> [BusValue] {
        try await connection.call(
            MethodCall(
                destination: "org.freedesktop.Notifications",
                path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: member, arguments: arguments)
        ).arguments
    }

    private static func decode(_ signal: BusSignal) -> Signal? {
        guard let id = signal.arguments.first?.uint32Value, signal.arguments.count == 2 else {
            return nil
        }
        let second = signal.arguments[1]
        switch signal.member.rawValue {
        case "ActionInvoked": return second.stringValue.map { .action(id: id, key: $0) }
        case "NotificationClosed": return second.uint32Value.map { .closed(id: id, reason: $0) }
        case "ActivationToken": return second.stringValue.map { .token(id: id, token: $0) }
        case "NotificationReplied": return second.stringValue.map { .replied(id: id, text: $0) }
        default: return nil
        }
    }
}
