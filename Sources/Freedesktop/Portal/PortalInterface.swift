internal import DesktopBus

/// The names of the portal's notification interface.
///
/// Source: https://flatpak.github.io/xdg-desktop-portal/docs/, org.freedesktop.portal.Notification.
enum PortalInterface {
    static let busName: BusName = "org.freedesktop.portal.Desktop"
    static let interface: InterfaceName = "org.freedesktop.portal.Notification"
    static let path: ObjectPath = "/org/freedesktop/portal/desktop"

    /// A call by the well-known name, which starts the portal if it does not run.
    ///
    /// Tocsin chooses the ids of notifications, so the ids keep their meaning if the portal
    /// restarts.
    static func call(_ member: MemberName, _ arguments: [BusValue]) -> MethodCall {
        MethodCall(
            destination: busName, path: path, interface: interface, member: member,
            arguments: arguments)
    }

    static let properties = MethodCall(
        destination: busName, path: path, interface: .properties, member: "GetAll",
        arguments: [.string(interface.rawValue)])
}
