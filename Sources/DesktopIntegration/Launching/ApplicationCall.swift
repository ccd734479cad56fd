internal import DesktopBus
import NotificationModel

/// The call of `org.freedesktop.Application` that starts an app.
///
/// Source: Desktop Entry Specification 1.5, "D-Bus Activation".
///
/// The call also names the user's action, for apps that export an action of that name. Every app
/// gets the user's response when it connects to Tocsin.
enum ApplicationCall {
    /// The call; nil if the app's id is not a valid bus name.
    static func call(for request: LaunchRequest, token: String?) -> MethodCall? {
        let id = request.app.rawValue
        guard let name = try? BusName(id), let path = path(of: request.app) else { return nil }
        let platform = BusValue.vardict(
            token.map { [("activation-token", .string($0)), ("desktop-startup-id", .string($0))] }
                ?? [])
        let (member, arguments): (MemberName, [BusValue]) =
            switch request.response?.action {
            case .custom(let action), .reply(let action, _):
                (
                    "ActivateAction",
                    [
                        .string(action),
                        .array(
                            element: "v",
                            [.variant(.string(request.notification.request.identifier))]),
                        platform,
                    ]
                )
            case .standard, .dismiss, nil: ("Activate", [platform])
            }
        return MethodCall(
            destination: name, path: path, interface: interface, member: member,
            arguments: arguments)
    }

    static let interface: InterfaceName = "org.freedesktop.Application"

    /// The path of the app's object: the app's id with dots as slashes and hyphens as underscores.
    static func path(of app: ApplicationID) -> ObjectPath? {
        try? ObjectPath("/" + String(app.rawValue.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }))
    }
}
