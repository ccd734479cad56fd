internal import DesktopBus

/// The names of the desktop's notification interface.
///
/// Source: Desktop Notifications Specification 1.2, "D-BUS Protocol".
enum NotificationsInterface {
    static let busName: BusName = "org.freedesktop.Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"

    /// A call of the server that owns the name now: under its unique name, so that it never
    /// reaches the next one, to which ids of this one mean nothing.
    static func call(
        _ member: MemberName, _ arguments: [BusValue] = [], of owner: BusName
    ) -> MethodCall {
        MethodCall(
            destination: owner, path: path, interface: interface, member: member,
            arguments: arguments)
    }
}
