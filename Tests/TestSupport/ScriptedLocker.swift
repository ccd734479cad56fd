package import DesktopBus
internal import Reactor

/// A screen saver of ours on a private bus, which a test activates.
package actor ScriptedLocker {
    private let connection: BusConnection
    private let interface: InterfaceName
    private let path: ObjectPath
    private var isActive: Bool
    private var isMute: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(
        _ connection: BusConnection, interface: InterfaceName, path: ObjectPath, isActive: Bool,
        isMute: Bool
    ) {
        self.connection = connection
        self.interface = interface
        self.path = path
        self.isActive = isActive
        self.isMute = isMute
    }

    /// Starts one that owns this name; a mute one does not answer until it is released.
    package static func start(
        on bus: PrivateBus, as name: BusName = "org.freedesktop.ScreenSaver",
        isActive: Bool = false, isMute: Bool = false
    ) async throws -> ScriptedLocker {
        let path = try ObjectPath("/" + name.rawValue.split(separator: ".").joined(separator: "/"))
        let interface = try InterfaceName(name.rawValue)
        let connection = try await BusConnection.open(on: bus, name: "locker")
        let locker = ScriptedLocker(
            connection, interface: interface, path: path, isActive: isActive, isMute: isMute)
        let table = InterfaceTable(
            name: interface,
            methods: [
                MethodEntry("GetActive", out: [ArgumentEntry("active", "b")]) { [weak locker] _ in
                    [.bool(await locker?.answer() ?? false)]
                }
            ],
            signals: [SignalEntry("ActiveChanged", [ArgumentEntry("active", "b")])])
        try await connection.export(ExportedObject(interfaces: [table]), at: path)
        try await connection.requestName(name)
        return locker
    }

    /// Locks or unlocks, and tells of it.
    package func lock(_ isActive: Bool = true) async throws {
        self.isActive = isActive
        try await connection.emit(
            path: path, interface: interface, member: "ActiveChanged",
            arguments: [.bool(isActive)])
    }

    /// Answers what waits for it, and everything later at once.
    package func release() {
        isMute = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Leaves the bus as a crash does.
    package func stop() async {
        release()
        await connection.close()
    }

    private func answer() async -> Bool {
        if isMute { await withCheckedContinuation { waiting.append($0) } }
        return isActive
    }
}
