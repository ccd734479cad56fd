internal import DesktopBus
internal import Logging
internal import NotificationModel
internal import Reactor

/// The one connection of a process to the system's bus, where there is one.
///
/// It is opened beside everything else: a system bus that hangs holds up a start for no longer than
/// the session's lock is asked for.
final class SystemBus: Sendable {
    private let connection: BusConnection?
    private let opening: Task<Bool, Never>

    /// Begins to connect, in a task that prefers the executor; what goes wrong is logged.
    init(
        environment: [String: String], reactor: Reactor, executor: (any TaskExecutor)? = nil
    ) {
        let connection = (try? BusAddress.system(environment: environment)).map {
            BusConnection(
                address: $0, reactor: reactor,
                options: BusConnectionOptions { $0.reconnect = Backoff() })
        }
        self.connection = connection
        opening = Task(executorPreference: executor) {
            guard let connection else {
                Log.daemon.debug("no system bus; the end of a sleep is seen by the clocks alone")
                return false
            }
            do throws(BusError) {
                try await connection.open()
                return true
            } catch {
                Log.daemon.info(
                    "the system bus does not tell of sleep, time zones and locks: \(error.message)")
                return false
            }
        }
    }

    /// The connection, when it is open; nil where there is none.
    func opened() async -> BusConnection? {
        await opening.value ? connection : nil
    }

    /// Ends the connection.
    func close() async {
        await connection?.close()
    }
}
