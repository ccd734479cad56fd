package import DesktopBus
internal import Reactor

extension BusConnection {
    /// Opens a connection to a private bus, with its own reactor.
    ///
    /// A program's timeout is 0.9 s. The default timeout here is longer, so that a test does not
    /// fail on a busy machine.
    package static func open(
        on bus: PrivateBus, name: String,
        options: BusConnectionOptions = .init { $0.openTimeout = .seconds(60) }
    ) async throws -> BusConnection {
        let connection = BusConnection(
            address: bus.address, reactor: Reactor.started(name), options: options)
        try await connection.open()
        return connection
    }

    /// Returns once the closed connection `former` has lost this name.
    ///
    /// A busy bus may free the name late, after another connection has already requested it.
    package static func wait(until name: BusName, leaves former: BusName?, on bus: PrivateBus) async
    {
        guard let former, let watch = try? await open(on: bus, name: "end") else { return }
        let owners = Recording<BusName?>()
        let watching = try? await watch.watchOwner(of: name) { owners.append($0) }
        if watching != nil {
            _ = try? await owners.wait(for: "the end of \(former)") { $0.last != former }
        }
        await watch.close()
    }

    /// Signals to every listener that properties have changed.
    package func emitPropertiesChanged(
        path: ObjectPath, interface: InterfaceName, changed: [(String, BusValue)],
        invalidated: [String] = []
    ) throws {
        try emit(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [
                .string(interface.rawValue), .vardict(changed), .strings(invalidated),
            ])
    }

    /// Sets environment variables for the programs that the bus starts later.
    package func updateActivationEnvironment(_ variables: [String: String]) async throws {
        let entries = variables.map { BusValue.Entry(.string($0.key), .string($0.value)) }
        _ = try await call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "UpdateActivationEnvironment",
                arguments: [.dictionary(key: "s", value: "s", entries)]))
    }

    /// Makes the bus read its configuration and its folders again.
    package func reloadConfiguration() async throws {
        _ = try await call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "ReloadConfig"))
    }
}
