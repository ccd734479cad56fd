public import DesktopBus
internal import NotificationModel

/// A notification server as its clients call it: the members of its interface with their types.
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

    /// Makes a client of the server that owns the name at each call, and is started for it.
    ///
    /// Under its unique name a server is called alone: a call never reaches the next one, to which
    /// the ids of this one mean nothing.
    public init(_ name: BusName = Self.busName, on connection: BusConnection) {
        self.name = name
        self.connection = connection
    }

    // MARK: Calls

    /// Shows a popup; the server's id for it.
    public func post(_ arguments: NotifyArguments) async throws(BusError) -> UInt32 {
        Self.id(try await connection.call(call("Notify", arguments.values)))
    }

    /// Shows a popup; `done` hears its id on the reactor's thread, before any later signal.
    func post(
        _ arguments: NotifyArguments, timeout: Duration,
        done: @escaping @Sendable (Result<UInt32, BusError>) -> Void
    ) {
        connection.call(call("Notify", arguments.values), timeout: timeout) { result in
            done(result.map(Self.id))
        }
    }

    /// Takes a popup away; some servers answer with an error where it has gone already.
    public func close(_ id: UInt32) async throws(BusError) {
        _ = try await connection.call(call("CloseNotification", [.uint32(id)]))
    }

    /// Takes a popup away, and waits for no reply.
    func closeLater(_ id: UInt32) {
        connection.call(call("CloseNotification", [.uint32(id)])) { _ in }
    }

    /// The reply of `GetServerInformation`.
    public func information(timeout: Duration? = nil) async throws(BusError) -> [BusValue] {
        try await connection.call(call("GetServerInformation"), timeout: timeout).arguments
    }

    /// The reply of `GetCapabilities`.
    func capabilities(timeout: Duration? = nil) async throws(BusError) -> [BusValue] {
        try await connection.call(call("GetCapabilities"), timeout: timeout).arguments
    }

    /// Whether the server says that it can do this.
    public func has(_ capability: String) async throws(BusError) -> Bool {
        try await capabilities().first?.stringsValue?.contains(capability) ?? false
    }

    /// Whether Do Not Disturb is on; nil where the server does not tell.
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

    /// Hears the signals of this server, each with the id of its popup.
    public func subscribe(
        _ handler: @escaping @Sendable (UInt32, Signal) -> Void
    ) async throws(BusError) -> BusSubscription {
        let rule = MatchRule(sender: name, path: Self.path, interface: Self.interface)
        return try await connection.subscribe(rule) { signal in
            if let (id, signal) = Self.meaning(of: signal) { handler(id, signal) }
        }
    }

    /// The popup and the meaning of a signal; nil where it has neither.
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
            // One server once sent the reason as a signed number.
            let reason = second?.uint32Value ?? second?.int32Value.flatMap { UInt32(exactly: $0) }
            meaning = .closed(reason: reason ?? 4)
        default: meaning = nil
        }
        return meaning.map { (id, $0) }
    }
}
