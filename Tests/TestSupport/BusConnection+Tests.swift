package import DesktopBus
internal import Reactor

extension BusConnection {
    /// An open connection to a private bus, on a reactor of its own.
    ///
    /// Unless the options say otherwise the bus may take long: a program is to fail within a second
    /// where it does not answer, and a test is not to fail because the machine is busy.
    package static func open(
        on bus: PrivateBus, name: String,
        options: BusConnectionOptions = .init(openTimeout: .seconds(60))
    ) async throws -> BusConnection {
        let connection = BusConnection(
            address: bus.address, reactor: Reactor.started(name), options: options)
        try await connection.open()
        return connection
    }

    /// Sets variables of what the bus starts from now on.
    package func updateActivationEnvironment(_ variables: [String: String]) async throws {
        let entries = variables.map { BusValue.Entry(.string($0.key), .string($0.value)) }
        _ = try await call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "UpdateActivationEnvironment",
                arguments: [.dictionary(key: "s", value: "s", entries)]))
    }

    /// Has the bus read its configuration and its folders again.
    package func reloadConfiguration() async throws {
        _ = try await call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "ReloadConfig"))
    }
}
