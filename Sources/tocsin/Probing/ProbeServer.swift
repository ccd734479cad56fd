internal import CenterInterface
internal import DesktopBus
internal import Freedesktop
internal import NotificationModel

/// The person's own notification server, asked without anything between.
struct ProbeServer {
    static let name: BusName = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"
    private static let interface: InterfaceName = "org.freedesktop.Notifications"
    /// How long a server may take to answer.
    private static let patience: Duration = .seconds(10)

    let connection: BusConnection
    let center: any NotificationService
    /// The environment, which the server has, too.
    let variables: [String: String]

    /// The signals of the server, from before anything is posted.
    func listen(
        _ heard: @escaping @Sendable (ProbeEvent) -> Void
    ) async throws(ToolError) -> [BusSubscription] {
        let rule = MatchRule(sender: Self.name, path: Self.path, interface: Self.interface)
        await connection.onStateChange { state in
            if case .disconnected = state { heard(.busLost) }
        }
        do throws(BusError) {
            return [
                try await connection.subscribe(rule) { signal in
                    guard let id = signal.arguments.first?.uint32Value,
                        let meaning = ProbeSignal(signal)
                    else { return }
                    heard(.signal(id: id, meaning))
                },
                try await connection.watchOwner(of: Self.name) { owner in
                    if owner == nil { heard(.serverGone) }
                },
            ]
        } catch {
            throw ToolError(.unreachable, error.message)
        }
    }

    /// Starts the server where the bus can, and asks who it is.
    func introduce() async throws(ToolError) -> ServerInformation {
        do throws(BusError) {
            if try await connection.owner(of: Self.name) == nil {
                try await connection.startService(Self.name)
            }
            let words = try await call("GetServerInformation").map { $0.stringValue ?? "" }
            let abilities = try await call("GetCapabilities").first?.stringsValue ?? []
            let all = words + ["", "", "", ""]
            return ServerInformation(
                name: all[0], vendor: all[1], version: all[2], specification: all[3],
                capabilities: Set(abilities)
            ).configured(in: variables)
        } catch {
            throw ToolError(
                .noServer,
                "The notification server cannot be asked: \(error.message) Start the desktop's "
                    + "own server, or install one such as dunst.")
        }
    }

    /// Shows a popup; its id.
    func notify(_ arguments: NotifyArguments) async throws(BusError) -> UInt32 {
        let answer = try await call("Notify", arguments.values)
        guard let id = answer.first?.uint32Value else {
            throw BusError(.unexpectedType, "It answered Notify with something that is no id.")
        }
        return id
    }

    /// Takes a popup away.
    func close(_ id: UInt32) async throws(BusError) {
        _ = try await call("CloseNotification", [.uint32(id)])
    }

    /// Whether Do Not Disturb is on; nil where nobody can tell.
    ///
    /// The notification centre knows where each desktop says so. One that is not there and that the
    /// bus cannot start is not started for this: then the server alone is asked.
    func isInhibited() async -> Bool? {
        if await isCenterThere, let status = try? await center.status(),
            let isInhibited = status.presenter.isInhibited
        {
            return isInhibited
        }
        let question = MethodCall(
            destination: Self.name, path: Self.path, interface: "org.freedesktop.DBus.Properties",
            member: "Get", arguments: [.string(Self.interface.rawValue), .string("Inhibited")])
        let answer = try? await connection.call(question, timeout: Self.patience)
        return answer?.arguments.first?.unwrapped.boolValue
    }

    private var isCenterThere: Bool {
        get async {
            if (try? await connection.owner(of: CenterName.bus)).flatMap({ $0 }) != nil {
                return true
            }
            return (try? await connection.isActivatable(CenterName.bus)) ?? false
        }
    }

    private func call(
        _ member: MemberName, _ arguments: [BusValue] = []
    ) async throws(BusError) -> [BusValue] {
        let call = MethodCall(
            destination: Self.name, path: Self.path, interface: Self.interface, member: member,
            arguments: arguments)
        return try await connection.call(call, timeout: Self.patience).arguments
    }
}
