public import DesktopBus
public import NotificationModel
internal import Reactor

/// The one process of an app that the desktop reaches by `org.freedesktop.Application`.
///
/// It owns the app's object on the session bus, and the bus name, which is the app's id.
///
/// If the bus started this process for a quick action that the user chose, the listener gets the
/// choice before `claim` returns.
///
/// It never starts a process: `handOver` reaches only a running process.
///
/// Source: Desktop Entry Specification 1.5, "D-Bus Activation".
public struct ApplicationInstance: Sendable {
    private static let timeout = Duration.seconds(5)

    private let connection: BusConnection
    private let name: BusName
    private let path: ObjectPath

    /// Makes the instance of an app; nil if the app's id cannot be a bus name.
    public init?(of app: ApplicationID, on connection: BusConnection) {
        do throws(BusError) {
            name = try BusName(app.rawValue)
        } catch {
            return nil
        }
        guard let path = ApplicationCall.path(of: app) else { return nil }
        self.path = path
        self.connection = connection
    }

    /// Makes this process the one that the desktop reaches.
    ///
    /// The result is false if the desktop already reaches another process. The listener runs on the
    /// reactor's thread.
    ///
    /// - Throws: The error of the bus.
    public func claim(
        _ listener: @escaping @Sendable (QuickActionChoice) -> Void
    ) async throws(BusError) -> Bool {
        try await connection.export(
            ExportedObject(interfaces: [Self.table(listener)]), at: path)
        do throws(BusError) {
            try await connection.requestName(name)
        } catch {
            await connection.unexport(at: path)
            guard error.code == .nameUnavailable else { throw error }
            return false
        }
        // Wait for the calls that started this process. The bus delivers them first, and then its
        // answer to GetNameOwner.
        _ = try await connection.owner(of: name)
        // This call returns after the reactor has run the handlers of those calls.
        _ = await connection.uniqueName
        return true
    }

    /// Hands a choice to the running process; returns when that process has accepted the choice.
    ///
    /// - Throws: The error of the call, such as `serviceUnknown` if no process runs.
    public func handOver(_ choice: QuickActionChoice) async throws(BusError) {
        let token = choice.activationToken
        let platform = BusValue.vardict(
            token.map { [("activation-token", .string($0)), ("desktop-startup-id", .string($0))] }
                ?? [])
        _ = try await connection.call(
            MethodCall(
                destination: name, path: path, interface: ApplicationCall.interface,
                member: "ActivateAction",
                arguments: [.string(choice.name), .array(element: "v", []), platform],
                flags: .noAutoStart), timeout: Self.timeout)
    }

    private static func table(
        _ listener: @escaping @Sendable (QuickActionChoice) -> Void
    ) -> InterfaceTable {
        let platform = ArgumentEntry("platform_data", "a{sv}")
        return InterfaceTable(
            name: ApplicationCall.interface,
            methods: [
                // These two methods only ask the process to start, but it runs already.
                MethodEntry("Activate", in: [platform]) { _ in [] },
                MethodEntry("Open", in: [ArgumentEntry("uris", "as"), platform]) { _ in [] },
                MethodEntry(
                    "ActivateAction",
                    in: [
                        ArgumentEntry("action_name", "s"), ArgumentEntry("parameter", "av"),
                        platform,
                    ]
                ) { call in
                    // Ignore a call with a parameter: it means a notification's action, which the
                    // notification centre reports.
                    if let choice = choice(call.arguments) { listener(choice) }
                    return []
                },
            ])
    }

    private static func choice(_ arguments: [BusValue]) -> QuickActionChoice? {
        guard arguments.count == 3, let name = arguments[0].stringValue,
            arguments[1].arrayValue?.isEmpty == true
        else { return nil }
        let platform = arguments[2].vardictValue
        let token = (platform?["activation-token"] ?? platform?["desktop-startup-id"])?.stringValue
        return QuickActionChoice(name: name, activationToken: token)
    }
}
