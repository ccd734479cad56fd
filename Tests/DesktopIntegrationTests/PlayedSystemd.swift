import DesktopBus
import TestSupport

/// systemd's manager of a person, as a test plays it: it takes notes and starts nothing.
final class PlayedSystemd: Sendable {
    /// A unit that it was asked for.
    struct Unit: Sendable {
        let name: String
        let properties: [String: BusValue]
    }

    /// The units, in order.
    let units = Recording<Unit>()
    private let connection: BusConnection

    /// Comes to the bus; one that refuses does not know a property.
    init(on bus: PrivateBus, refuses: Bool = false) async throws {
        connection = try await .open(on: bus, name: "systemd")
        let units = units
        let table = InterfaceTable(
            name: "org.freedesktop.systemd1.Manager",
            methods: [
                MethodEntry(
                    "StartTransientUnit",
                    in: [
                        ArgumentEntry("name", "s"), ArgumentEntry("mode", "s"),
                        ArgumentEntry("properties", "a(sv)"), ArgumentEntry("aux", "a(sa(sv))"),
                    ], out: [ArgumentEntry("job", "o")]
                ) { call in
                    var properties: [String: BusValue] = [:]
                    for entry in call.arguments[2].arrayValue ?? [] {
                        guard let members = entry.structureValue else { continue }
                        properties[members[0].stringValue ?? ""] = members[1].unwrapped
                    }
                    units.append(
                        Unit(
                            name: call.arguments[0].stringValue ?? "", properties: properties))
                    if refuses {
                        throw BusError.remote(
                            "org.freedesktop.DBus.Error.PropertyReadOnly", "ExitType")
                    }
                    return [.objectPath("/org/freedesktop/systemd1/job/1")]
                }
            ])
        try await connection.export(
            ExportedObject(interfaces: [table]), at: "/org/freedesktop/systemd1")
        try await connection.requestName("org.freedesktop.systemd1")
    }

    func stop() async {
        await connection.close()
    }
}
