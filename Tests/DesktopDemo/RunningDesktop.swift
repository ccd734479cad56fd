import DesktopBus
import Reactor
import TestSupport

/// The desktop in which this program was started: a display, and a bus with a notification server.
struct RunningDesktop {
    /// The environment of this program.
    let environment: [String: String]
    /// The server's own name.
    let server: String

    /// Returns the running desktop, or nil if there is none.
    static func find(_ environment: [String: String]) async -> RunningDesktop? {
        guard environment["TOCSIN_DEMO"] != "virtual",
            environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil,
            let address = try? BusAddress.session(environment: environment)
        else { return nil }
        let bus = BusConnection(
            address: address, reactor: Reactor.started("demo"),
            options: .init { $0.reconnect = nil })
        // Without a bus or an answering server, the user could not click a notification.
        guard (try? await bus.open()) != nil else { return nil }
        let information = try? await bus.call(
            MethodCall(
                destination: "org.freedesktop.Notifications",
                path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "GetServerInformation"))
        await bus.close()
        guard let name = information?.arguments.first?.stringValue else { return nil }
        return RunningDesktop(environment: environment, server: name)
    }
}
