internal import DesktopBus

extension PrivateBus {
    /// Returns once every program on this bus has handled all messages sent before this call.
    ///
    /// A program answers a Ping after all messages that it received before. The first round of
    /// Pings makes the senders send their waiting messages. The second round waits for the
    /// receivers.
    ///
    /// Throws if a program on the bus does not answer.
    package func untilReceived() async throws {
        let connection = try await BusConnection.open(on: self, name: "receipt")
        for _ in 0..<2 {
            let names = try await connection.call(
                MethodCall(
                    destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                    interface: "org.freedesktop.DBus", member: "ListNames")
            ).arguments.first?.stringsValue
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names ?? [] where name.hasPrefix(":") {
                    group.addTask { try await Self.ping(name, over: connection) }
                }
                try await group.waitForAll()
            }
        }
        await connection.close()
    }

    private static func ping(_ name: String, over connection: BusConnection) async throws {
        let destination = try BusName(name)
        do {
            _ = try await connection.call(
                MethodCall(
                    destination: destination, path: "/",
                    interface: "org.freedesktop.DBus.Peer", member: "Ping", flags: .noAutoStart))
        } catch  where error.code != .timedOut {
            // The program has left the bus, so it has nothing more to handle.
        }
    }
}
