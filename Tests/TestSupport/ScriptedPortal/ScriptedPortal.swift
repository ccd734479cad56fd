package import DesktopBus
internal import Reactor

/// A portal on a private bus, for notifications only.
///
/// It owns its connection, and leaves the bus when its last reference is released.
///
/// It promises answers and clicks as a test scripts them.
///
/// It never omits a refused call from `calls`.
package actor ScriptedPortal {
    static let name: BusName = "org.freedesktop.portal.Desktop"
    static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    static let interface: InterfaceName = "org.freedesktop.portal.Notification"

    /// Every call of `AddNotification`, including refused calls, in order of arrival.
    package nonisolated let calls = Recording<PortalCall>()
    /// The ids of every call of `RemoveNotification`.
    package nonisolated let removals = Recording<String>()

    private nonisolated let bus: PrivateBus
    private nonisolated let reactor = Reactor.started("scripted-portal")
    private var script: PortalScript
    private var connection: BusConnection?
    private var mute: [CheckedContinuation<Void, Never>] = []

    /// The connection's reactor, so that the portal handles calls in the order of arrival.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    private init(bus: PrivateBus, script: PortalScript) {
        self.bus = bus
        self.script = script
    }

    /// Starts a portal and returns when it owns its name.
    package static func start(
        on bus: PrivateBus, script: PortalScript = PortalScript()
    ) async throws -> ScriptedPortal {
        let portal = ScriptedPortal(bus: bus, script: script)
        try await portal.start()
        return portal
    }

    /// Changes the script.
    package func change(_ change: @Sendable (inout PortalScript) -> Void) {
        change(&script)
    }

    /// Connects to the bus.
    package func start() async throws {
        guard connection == nil else { return }
        let connection = BusConnection(
            address: bus.address, reactor: reactor, options: .init { $0.reconnect = nil })
        try await connection.open()
        try await connection.export(ExportedObject(interfaces: [table]), at: Self.path)
        try await connection.requestName(Self.name)
        self.connection = connection
    }

    /// Leaves the bus as in a crash.
    package func stop() async {
        await connection?.close()
        connection = nil
        answer()
    }

    /// Answers the waiting calls, and each later call at once.
    package func release() {
        script.isMute = false
        answer()
    }

    private func answer() {
        let waiting = mute
        mute = []
        for continuation in waiting { continuation.resume() }
    }

    /// Leaves the bus and connects again.
    ///
    /// The portal releases its name first: the bus may accept the new connection before it notices
    /// the end of the old one.
    package func restart() async throws {
        try await connection?.releaseName(Self.name)
        await stop()
        try await start()
    }

    /// Signals to the caller that the user chose `action`; throws if `call` has no such action.
    package func click(
        _ call: PortalCall, _ action: String, parameters: [BusValue] = []
    ) async throws {
        guard call.actions.contains(action) else {
            throw HarnessError("\(call.id) has no action \"\(action)\": \(call.actions)")
        }
        try await emit(call.id, action, parameters: parameters, to: call.sender)
    }

    /// Emits `ActionInvoked` with any id and action, even if no call offered the action.
    package func emit(
        _ id: String, _ action: String, parameters: [BusValue] = [], to client: BusName? = nil
    ) async throws {
        guard let connection else { throw HarnessError("the scripted portal is not on the bus") }
        try await connection.emit(
            path: Self.path, interface: Self.interface, member: "ActionInvoked",
            arguments: [
                .string(id), .string(action), .array(element: "v", parameters.map { .variant($0) }),
            ], destination: client)
    }
}

// The methods that clients call.
extension ScriptedPortal {
    private nonisolated var table: InterfaceTable {
        let this = WeakPortal(portal: self)
        let id = ArgumentEntry("id", "s")
        return InterfaceTable(
            name: Self.interface,
            methods: [
                MethodEntry("AddNotification", in: [id, ArgumentEntry("notification", "a{sv}")]) {
                    try await this.portal?.add($0)
                    return []
                },
                MethodEntry("RemoveNotification", in: [id]) {
                    this.portal?.removals.append($0.arguments[0].stringValue ?? "")
                    return []
                },
            ],
            properties: [
                PropertyEntry("version", "u", get: { .uint32(await this.portal?.version ?? 0) }),
                PropertyEntry(
                    "SupportedOptions", "a{sv}",
                    get: { await this.portal?.options ?? .vardict([]) }),
            ])
    }

    private var version: UInt32 { script.version }

    private var options: BusValue {
        .vardict((script.options ?? [:]).map { ($0.key, .strings($0.value)) })
    }

    private func add(_ invocation: MethodInvocation) async throws {
        guard let call = PortalCall(invocation) else {
            throw BusError.remote("org.freedesktop.portal.Error.InvalidArgument", "no call")
        }
        calls.append(call)
        if script.isMute { await withCheckedContinuation { mute.append($0) } }
        switch script.failures {
        case .none: return
        case .all(let error): throw BusError.remote(error, "not this one")
        case .withFiles(let error):
            guard call.file("icon") != nil || call.file("sound") != nil else { return }
            throw BusError.remote(error, "invalid notification: not this file")
        }
    }
}

/// A weak reference for the table's entries; a strong reference would keep the portal on
/// the bus.
private struct WeakPortal: Sendable {
    weak let portal: ScriptedPortal?
}
