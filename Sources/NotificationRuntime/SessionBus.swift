internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Opens connections to the session bus.
enum SessionBus {
    /// Connects to the session bus.
    ///
    /// A daemon passes `maximumReceivedSize`, so that one huge message cannot delay the daemon.
    static func connect(
        _ configuration: Configuration, on reactor: Reactor, reconnect: Backoff? = Backoff(),
        maximumReceivedSize: Int = .max
    ) async throws(NotificationError) -> BusConnection {
        do throws(BusError) {
            let address = try BusAddress.session(
                environment: configuration.environment, uid: configuration.userID)
            let connection = BusConnection(
                address: address, reactor: reactor,
                options: BusConnectionOptions {
                    $0.reconnect = reconnect
                    $0.maximumCallSize = Limits.call.most
                    $0.maximumReceivedSize = maximumReceivedSize
                    $0.maximumDescriptorsOfCalls = Descriptors.limit / 8
                })
            try await connection.open()
            return connection
        } catch {
            throw NotificationError(
                .noBus, "The session bus cannot be reached: \(error.message)")
        }
    }
}
