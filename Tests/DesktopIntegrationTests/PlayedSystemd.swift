import DesktopBus
import TestSupport

/// A user's systemd manager, as a test plays it: it records the calls and starts nothing.
final class PlayedSystemd: Sendable {
    /// A unit that a client requested.
    struct Unit: Sendable {
        let name: String
        let properties: [String: BusValue]
    }

    /// The manager's behaviour for a requested unit.
    enum Behaviour: Sendable {
        /// The manager refuses the unit, because it does not know a property.
        case refuses
        /// The job ends with this result, and the unit's program with this status, if any.
        case job(String, status: Int32? = nil)
        /// The job succeeds, and then the unit enters this state with this status.
        case becomes(String, status: Int32)
        /// The bus ends after the manager has the call, and before the answer.
        case loses(PrivateBus)
    }

    /// The units, in order.
    let units = Recording<Unit>()
    private let connection: BusConnection

    /// Connects to the bus and takes the manager's name.
    init(on bus: PrivateBus, _ behaviour: Behaviour = .becomes("inactive", status: 0)) async throws
    {
        let connection = try await BusConnection.open(on: bus, name: "systemd")
        self.connection = connection
        let units = units
        let table = InterfaceTable(
            name: "org.freedesktop.systemd1.Manager",
            methods: [
                MethodEntry("Subscribe") { _ in [] },
                MethodEntry(
                    "StartTransientUnit",
                    in: [
                        ArgumentEntry("name", "s"), ArgumentEntry("mode", "s"),
                        ArgumentEntry("properties", "a(sv)"), ArgumentEntry("aux", "a(sa(sv))"),
                    ], out: [ArgumentEntry("job", "o")]
                ) { call in
                    let unit = Self.unit(call.arguments)
                    units.append(unit)
                    if case .refuses = behaviour {
                        throw BusError.remote(
                            "org.freedesktop.DBus.Error.PropertyReadOnly", "ExitType")
                    }
                    // systemd usually answers before these signals; a client must accept either
                    // order.
                    try await Self.play(behaviour, unit.name, on: connection)
                    return [.objectPath("/org/freedesktop/systemd1/job/1")]
                },
            ])
        try await connection.export(
            ExportedObject(interfaces: [table]), at: "/org/freedesktop/systemd1")
        try await connection.requestName("org.freedesktop.systemd1")
    }

    func stop() async {
        await connection.close()
    }

    private static func unit(_ arguments: [BusValue]) -> Unit {
        var properties: [String: BusValue] = [:]
        for entry in arguments[2].arrayValue ?? [] {
            guard let members = entry.structureValue else { continue }
            properties[members[0].stringValue ?? ""] = members[1].unwrapped
        }
        return Unit(name: arguments[0].stringValue ?? "", properties: properties)
    }

    private static func play(
        _ behaviour: Behaviour, _ name: String, on connection: BusConnection
    ) async throws {
        switch behaviour {
        case .refuses: break
        case .loses(let bus): bus.stop()
        case .job(let result, let status):
            try await emitState("activating", status, of: name, on: connection)
            try await emitJob("done", of: "another.service", on: connection)
            try await emitJob(result, of: name, on: connection)
        case .becomes(let state, let status):
            try await emitJob("done", of: name, on: connection)
            try await emitState("active", nil, of: name, on: connection)
            try await emitState(state, status, of: name, on: connection)
        }
    }

    private static func emitJob(
        _ result: String, of name: String, on connection: BusConnection
    ) async throws {
        try await connection.emit(
            path: "/org/freedesktop/systemd1", interface: "org.freedesktop.systemd1.Manager",
            member: "JobRemoved",
            arguments: [
                .uint32(1), .objectPath("/org/freedesktop/systemd1/job/1"), .string(name),
                .string(result),
            ])
    }

    private static func emitState(
        _ state: String, _ status: Int32?, of name: String, on connection: BusConnection
    ) async throws {
        // Keep letters and digits, and write every other byte as `_` and two digits.
        let label = name.utf8.map { byte -> String in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain ? String(scalar) : "_" + String(byte, radix: 16)
        }.joined()
        let path = try ObjectPath("/org/freedesktop/systemd1/unit/" + label)
        if let status {
            try await connection.emitPropertiesChanged(
                path: path, interface: "org.freedesktop.systemd1.Service",
                changed: [("ExecMainStatus", .int32(status))])
        }
        try await connection.emitPropertiesChanged(
            path: path, interface: "org.freedesktop.systemd1.Unit",
            changed: [("ActiveState", .string(state))])
    }
}
