public import DesktopBus
internal import NotificationModel
internal import Reactor

/// A client of a notification server: the members of its interface with their types.
///
/// It owns nothing but the server's name and the connection. It promises arguments of exactly the
/// types of the specification. It never keeps a popup's id.
///
/// Source: Desktop Notifications Specification 1.2, "D-BUS Protocol".
public struct NotificationServer: Sendable {
    /// The name that a desktop's server owns.
    public static let busName: BusName = "org.freedesktop.Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"

    /// A server's signal about a popup.
    public enum Signal: Hashable, Sendable {
        /// `ActivationToken`, which precedes the action.
        case token(String)
        /// `ActionInvoked`.
        case action(key: String)
        /// `NotificationReplied`, an extension of Plasma.
        case reply(text: String)
        /// `NotificationClosed`.
        case closed(reason: UInt32)
    }

    private let name: BusName
    private let connection: BusConnection

    /// Makes a client of the server with this name.
    ///
    /// With the well-known name, each call reaches the current owner. If there is no owner, the bus
    /// starts a server. With a unique name, no call reaches a later server, which has other ids.
    public init(_ name: BusName = Self.busName, on connection: BusConnection) {
        self.name = name
        self.connection = connection
    }

    // MARK: Calls

    /// Shows a popup; returns the server's id for it.
    ///
    /// - Throws: The error of the bus, or the error that the server returned.
    public func post(_ arguments: NotifyArguments) async throws(BusError) -> UInt32 {
        Self.id(try await connection.call(call("Notify", arguments.values)))
    }

    /// Shows a popup; `done` gets its id on the reactor's thread, before any later signal.
    func post(
        _ arguments: NotifyArguments, timeout: Duration,
        done: @escaping @Sendable (Result<UInt32, BusError>) -> Void
    ) {
        connection.call(call("Notify", arguments.values), timeout: timeout) { result in
            done(result.map(Self.id))
        }
    }

    /// Closes a popup.
    ///
    /// - Throws: The error of the bus, or the error that the server returned. Some servers return
    ///   an error for a popup that has closed already.
    public func close(_ id: UInt32) async throws(BusError) {
        _ = try await connection.call(call("CloseNotification", [.uint32(id)]))
    }

    /// Closes a popup and asks for no answer, because `NotificationClosed` says that it is closed.
    ///
    /// A failed send is ignored: without a connection, the server and its popups count as lost.
    func closeLater(_ id: UInt32) {
        let message = call("CloseNotification", [.uint32(id)])
        connection.onReactor { try? $0.send(message) }
    }

    /// The answer of `GetServerInformation`.
    ///
    /// - Throws: The error of the bus, or the error that the server returned.
    public func information(timeout: Duration? = nil) async throws(BusError) -> [BusValue] {
        try await connection.call(call("GetServerInformation"), timeout: timeout).arguments
    }

    func capabilities(timeout: Duration? = nil) async throws(BusError) -> [BusValue] {
        try await connection.call(call("GetCapabilities"), timeout: timeout).arguments
    }

    /// Whether the server claims this capability.
    ///
    /// - Throws: The error of the bus, or the error that the server returned.
    public func has(_ capability: String) async throws(BusError) -> Bool {
        try await capabilities().first?.stringsValue?.contains(capability) ?? false
    }

    /// Whether Do Not Disturb is on; nil if the server does not report it.
    func isInhibited(timeout: Duration) async -> Bool? {
        let question = MethodCall(
            reading: "Inhibited", of: Self.interface, destination: name, path: Self.path)
        let reply = try? await connection.call(question, timeout: timeout)
        return reply?.arguments.first?.unwrapped.boolValue
    }

    private func call(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: name, path: Self.path, interface: Self.interface, member: member,
            arguments: arguments)
    }

    private static func id(_ reply: BusReply) -> UInt32 {
        reply.arguments.first?.uint32Value ?? 0
    }

    // MARK: Signals

    /// Calls `handler` with each signal of this server, and with the id of its popup.
    ///
    /// - Throws: The error of the bus.
    public func subscribe(
        _ handler: @escaping @Sendable (UInt32, Signal) -> Void
    ) async throws(BusError) -> BusSubscription {
        let rule = MatchRule(sender: name, path: Self.path, interface: Self.interface)
        return try await connection.subscribe(rule) { signal in
            if let (id, signal) = Self.meaning(of: signal) { handler(id, signal) }
        }
    }

    /// The popup and the meaning of a signal; nil if the signal is not about a popup.
    static func meaning(of signal: BusSignal) -> (id: UInt32, signal: Signal)? {
        guard let id = signal.arguments.first?.uint32Value else { return nil }
        let second = signal.arguments.dropFirst().first
        let meaning: Signal?
        switch signal.member {
        case "ActionInvoked": meaning = second?.stringValue.map { .action(key: $0) }
        case "NotificationReplied":
            meaning = second?.stringValue.map { .reply(text: Limits.reply.cut($0.unicodeScalars)) }
        case "ActivationToken":
            meaning = second?.stringValue.flatMap {
                Limits.activationToken.contains($0.utf8.count) ? .token($0) : nil
            }
        case "NotificationClosed":
            // At least one version of a server sends the reason as a signed number.
            let reason = second?.uint32Value ?? second?.int32Value.flatMap { UInt32(exactly: $0) }
            meaning = .closed(reason: reason ?? 4)
        default: meaning = nil
        }
        return meaning.map { (id, $0) }
    }
}
