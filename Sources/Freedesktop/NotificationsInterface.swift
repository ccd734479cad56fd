internal import DesktopBus

/// The names of the desktop's notification interface.
///
/// Source: Desktop Notifications Specification 1.2, "D-BUS Protocol".
enum NotificationsInterface {
    static let busName: BusName = "org.freedesktop.Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"

    static func call(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: busName, path: path, interface: interface, member: member,
            arguments: arguments)
    }
}
