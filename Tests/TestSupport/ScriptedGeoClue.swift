internal import DesktopBus
internal import Foundation
internal import Reactor

/// GeoClue on a private bus, which replaces the system bus; a test moves the device.
///
/// It owns the clients and the places.
///
/// It promises what the interface of GeoClue 2.6 documents: `GetClient` waits for an agent, a start
/// needs a desktop id, and only a started client gets places.
///
/// It never applies the thresholds of a client: the test decides which places it reports.
package actor ScriptedGeoClue {
    private struct Client {
        var values: [String: BusValue] = [
            "DesktopId": .string(""), "RequestedAccuracyLevel": .uint32(0),
            "DistanceThreshold": .uint32(0), "TimeThreshold": .uint32(0),
        ]
        var isActive = false
        var location: ObjectPath = "/"
    }

    private static let name: BusName = "org.freedesktop.GeoClue2"
    private static let manager: ObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let interface: InterfaceName = "org.freedesktop.GeoClue2.Client"

    private let connection: BusConnection
    private let bus: PrivateBus
    private var hasAgent: Bool
    private var isAllowed = true
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var clients: [ObjectPath: Client] = [:]
    private var lastNumber = 0
    /// The place that GeoClue reports when a client starts.
    private var known: [(String, BusValue)]?
    /// The calls, in order, with their values.
    package nonisolated let calls = Recording<String>()

    private init(_ connection: BusConnection, on bus: PrivateBus, hasAgent: Bool) {
        self.connection = connection
        self.bus = bus
        self.hasAgent = hasAgent
    }

    /// Starts GeoClue; if `hasAgent` is false, `GetClient` waits for `addAgent()`.
    package static func start(
        on bus: PrivateBus, hasAgent: Bool = true, isAllowed: Bool = true
    ) async throws -> ScriptedGeoClue {
        let connection = try await BusConnection.open(on: bus, name: "geoclue")
        let geoClue = ScriptedGeoClue(connection, on: bus, hasAgent: hasAgent)
        try await geoClue.export(isAllowed: isAllowed)
        try await connection.requestName(name)
        return geoClue
    }

    /// Registers an agent, and answers the calls that wait for an agent.
    package func addAgent() {
        hasAgent = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Reports a place to the started clients, and to those that start later.
    ///
    /// The timestamp of the place is `age` seconds ago.
    package func move(
        to latitude: Double, _ longitude: Double, accuracy: Double = 10, age: Double = 0
    ) async throws {
        let microseconds = UInt64(max(0, (Date().timeIntervalSince1970 - age) * 1_000_000))
        let place: [(String, BusValue)] = [
            ("Latitude", .double(latitude)), ("Longitude", .double(longitude)),
            ("Accuracy", .double(accuracy)), ("Altitude", .double(-.greatestFiniteMagnitude)),
            ("Speed", .double(-1)), ("Heading", .double(-1)), ("Description", .string("")),
            (
                "Timestamp",
                .structure([
                    .uint64(microseconds / 1_000_000), .uint64(microseconds % 1_000_000),
                ])
            ),
        ]
        known = place
        for path in clients.keys where clients[path]?.isActive == true {
            try await report(place, to: path)
        }
    }

    /// Turns the location of the device on or off.
    package func turn(on isOn: Bool) async throws {
        for path in clients.keys {
            clients[path]?.isActive = isOn
            try await connection.emitPropertiesChanged(
                path: path, interface: Self.interface, changed: [("Active", .bool(isOn))])
        }
    }

    /// Leaves the bus as in a crash; its name is free afterwards.
    package func stop() async {
        addAgent()
        let former = await connection.uniqueName
        await connection.close()
        await BusConnection.wait(until: Self.name, leaves: former, on: bus)
    }

    // MARK: The interface

    private func export(isAllowed: Bool) async throws {
        self.isAllowed = isAllowed
        let table = InterfaceTable(
            name: "org.freedesktop.GeoClue2.Manager",
            methods: [
                MethodEntry("GetClient", out: [ArgumentEntry("client", "o")]) { [weak self] _ in
                    [.objectPath(try await self?.client() ?? "/")]
                },
                MethodEntry("DeleteClient", in: [ArgumentEntry("client", "o")]) {
                    [weak self] call in
                    await self?.delete(call.arguments[0].objectPathValue ?? "/")
                    return []
                },
            ])
        try await connection.export(ExportedObject(interfaces: [table]), at: Self.manager)
    }

    private func client() async throws -> ObjectPath {
        calls.append("GetClient")
        if !hasAgent { await withCheckedContinuation { waiting.append($0) } }
        if let path = clients.keys.first { return path }
        lastNumber += 1
        let path = try ObjectPath("/org/freedesktop/GeoClue2/Client/\(lastNumber)")
        clients[path] = Client()
        let table = InterfaceTable(
            name: Self.interface,
            methods: [
                MethodEntry("Start") { [weak self] _ in
                    try await self?.startClient(path)
                    return []
                },
                MethodEntry("Stop") { [weak self] _ in
                    await self?.stopClient(path)
                    return []
                },
            ],
            signals: [
                SignalEntry(
                    "LocationUpdated", [ArgumentEntry("old", "o"), ArgumentEntry("new", "o")])
            ],
            properties: [
                property("DesktopId", "s", path), property("RequestedAccuracyLevel", "u", path),
                property("DistanceThreshold", "u", path), property("TimeThreshold", "u", path),
                PropertyEntry("Location", "o") { [weak self] in
                    .objectPath(await self?.clients[path]?.location ?? "/")
                },
                PropertyEntry("Active", "b") { [weak self] in
                    .bool(await self?.clients[path]?.isActive ?? false)
                },
            ])
        try await connection.export(ExportedObject(interfaces: [table]), at: path)
        return path
    }

    private func property(
        _ name: MemberName, _ type: Signature, _ path: ObjectPath
    ) -> PropertyEntry {
        PropertyEntry(name, type) { [weak self] in
            await self?.clients[path]?.values[name.rawValue] ?? .string("")
        } set: { [weak self] value in
            await self?.set(name.rawValue, value, of: path)
        }
    }

    private func set(_ name: String, _ value: BusValue, of path: ObjectPath) {
        clients[path]?.values[name] = value
        if clients[path]?.isActive == true { calls.append("\(name) \(value.uint32Value ?? 0)") }
    }

    private func startClient(_ path: ObjectPath) async throws {
        guard isAllowed, let id = clients[path]?.values["DesktopId"]?.stringValue, !id.isEmpty
        else {
            throw BusError.remote("org.freedesktop.DBus.Error.AccessDenied", "not allowed")
        }
        let numbers = ["RequestedAccuracyLevel", "DistanceThreshold", "TimeThreshold"].map {
            "\(clients[path]?.values[$0]?.uint32Value ?? 0)"
        }
        clients[path]?.isActive = true
        try await connection.emitPropertiesChanged(
            path: path, interface: Self.interface, changed: [("Active", .bool(true))])
        // GeoClue reports the first place before it answers `Start`.
        if let known { try await report(known, to: path) }
        calls.append("Start \(id) \(numbers.joined(separator: " "))")
    }

    private func stopClient(_ path: ObjectPath) {
        clients[path]?.isActive = false
        calls.append("Stop")
    }

    private func delete(_ path: ObjectPath) async {
        guard clients.removeValue(forKey: path) != nil else { return }
        calls.append("DeleteClient")
        await connection.unexport(at: path)
    }

    private func report(_ place: [(String, BusValue)], to path: ObjectPath) async throws {
        lastNumber += 1
        let new = try ObjectPath("\(path.rawValue)/Location/\(lastNumber)")
        let table = InterfaceTable(
            name: "org.freedesktop.GeoClue2.Location",
            properties: try place.map { name, value in
                PropertyEntry(try MemberName(name), value.signature) { value }
            })
        try await connection.export(ExportedObject(interfaces: [table]), at: new)
        let old = clients[path]?.location ?? "/"
        clients[path]?.location = new
        try await connection.emit(
            path: path, interface: Self.interface, member: "LocationUpdated",
            arguments: [.objectPath(old), .objectPath(new)])
    }
}
