import DesktopBus
import Reactor
import TestSupport

/// An open connection on a reactor of its own.
func connect(
    _ bus: PrivateBus, _ options: BusConnectionOptions = .init()
) async throws -> BusConnection {
    let connection = BusConnection(
        address: bus.address, reactor: Reactor(name: "test"), options: options)
    try await connection.open()
    return connection
}

extension MethodCall {
    static func toBus(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, arguments: arguments)
    }
}
