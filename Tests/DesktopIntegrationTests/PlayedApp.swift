import DesktopBus
import TestSupport

/// An app that a launcher starts by D-Bus calls, played by a test.
final class PlayedApp: Sendable {
    /// The received calls, as words.
    let calls = Recording<String>()
    private let connection: BusConnection

    /// Connects to the bus and takes the app's name; `activated` runs before each answer.
    ///
    /// Without actions, the app refuses `ActivateAction` as GLib does.
    init(
        on bus: PrivateBus, hasActions: Bool = true,
        activated: @escaping @Sendable (BusConnection) async throws -> Void = { _ in }
    ) async throws {
        let connection = try await BusConnection.open(on: bus, name: "app")
        self.connection = connection
        let calls = calls
        let platform = ArgumentEntry("platform_data", "a{sv}")
        let table = InterfaceTable(
            name: "org.freedesktop.Application",
            methods: [
                MethodEntry("Activate", in: [platform]) { call in
                    let token = call.arguments[0].vardictValue?["activation-token"]?.stringValue
                    calls.append("Activate \(token ?? "-")")
                    try await activated(connection)
                    return []
                },
                MethodEntry(
                    "ActivateAction",
                    in: [
                        ArgumentEntry("action_name", "s"), ArgumentEntry("parameter", "av"),
                        platform,
                    ]
                ) { call in
                    let target = call.arguments[1].arrayValue?.first?.stringValue
                    calls.append(
                        "ActivateAction \(call.arguments[0].stringValue ?? "-") \(target ?? "-")")
                    guard hasActions else {
                        throw BusError.remote(
                            "org.freedesktop.DBus.Error.InvalidArgs", "Unknown action")
                    }
                    return []
                },
            ])
        try await connection.export(
            ExportedObject(interfaces: [table]), at: "/org/example/My_App")
        try await connection.requestName("org.example.My-App")
    }

    func stop() async {
        await connection.close()
    }
}
