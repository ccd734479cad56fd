package import DesktopBus
internal import Reactor

/// A screen saver on a private bus; a test locks and unlocks it.
package actor ScriptedLocker {
    private let connection: BusConnection
    private let bus: PrivateBus
    private let name: BusName
    private let interface: InterfaceName
    private let path: ObjectPath
    private var isActive: Bool
    private var isMute: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(
        _ connection: BusConnection, on bus: PrivateBus, as name: BusName, isActive: Bool,
        isMute: Bool
    ) throws {
        self.connection = connection
        self.bus = bus
        self.name = name
        interface = try InterfaceName(name.rawValue)
        path = try ObjectPath("/" + name.rawValue.split(separator: ".").joined(separator: "/"))
        self.isActive = isActive
        self.isMute = isMute
    }

    /// Starts a locker that owns this name; a mute locker answers nothing before `release()`.
    package static func start(
        on bus: PrivateBus, as name: BusName = "org.freedesktop.ScreenSaver",
        isActive: Bool = false, isMute: Bool = false
    ) async throws -> ScriptedLocker {
        let connection = try await BusConnection.open(on: bus, name: "locker")
        let locker = try ScriptedLocker(
            connection, on: bus, as: name, isActive: isActive, isMute: isMute)
        let table = InterfaceTable(
            name: locker.interface,
            methods: [
                MethodEntry("GetActive", out: [ArgumentEntry("active", "b")]) { [weak locker] _ in
                    [.bool(await locker?.answer() ?? false)]
                }
            ],
            signals: [SignalEntry("ActiveChanged", [ArgumentEntry("active", "b")])])
        try await connection.export(ExportedObject(interfaces: [table]), at: locker.path)
        try await connection.requestName(name)
        return locker
    }

    /// Locks or unlocks the session, and signals it.
    package func lock(_ isActive: Bool = true) async throws {
        self.isActive = isActive
        try await connection.emit(
            path: path, interface: interface, member: "ActiveChanged",
            arguments: [.bool(isActive)])
    }

    /// Answers the waiting calls, and each later call at once.
    package func release() {
        isMute = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Leaves the bus as in a crash; its name is free afterwards.
    package func stop() async {
        release()
        let former = await connection.uniqueName
        await connection.close()
        await BusConnection.wait(until: name, leaves: former, on: bus)
    }

    private func answer() async -> Bool {
        if isMute { await withCheckedContinuation { waiting.append($0) } }
        return isActive
    }
}
