import DesktopBus
import TestSupport

/// An app that D-Bus calls start, played by a test.
final class PlayedApp: Sendable {
    /// The calls that it received, as words.
    let calls = Recording<String>()
    private let connection: BusConnection

    init(on bus: PrivateBus) async throws {
        connection = try await .open(on: bus, name: "app")
        let calls = calls
        let platform = ArgumentEntry("platform_data", "a{sv}")
        let table = InterfaceTable(
            name: "org.freedesktop.Application",
            methods: [
                MethodEntry("Activate", in: [platform]) { call in
                    let token = call.arguments[0].vardictValue?["activation-token"]?.stringValue
                    calls.append("Activate \(token ?? "-")")
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
