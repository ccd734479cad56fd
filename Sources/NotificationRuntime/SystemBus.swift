package import DesktopBus
internal import Logging
internal import NotificationModel
package import Reactor

/// A connection to the system bus; the connection opens in the background.
///
/// If the system bus hangs, an engine's start waits only for the timeout of one question: whether
/// the session is locked.
package final class SystemBus: Sendable {
    /// How long the bus may take to answer.
    ///
    /// A bus may be slow while the machine starts, and a failed opening is not repeated.
    private static let openTimeout: Duration = .seconds(60)

    private let connection: BusConnection?
    private let opening: Task<Bool, Never>

    /// Begins to connect, in a task that prefers the executor; the task logs errors.
    package init(
        environment: [String: String], reactor: Reactor, executor: (any TaskExecutor)? = nil
    ) {
        let connection = (try? BusAddress.system(environment: environment)).map {
            BusConnection(
                address: $0, reactor: reactor,
                options: BusConnectionOptions {
                    $0.reconnect = Backoff()
                    $0.openTimeout = SystemBus.openTimeout
                })
        }
        self.connection = connection
        opening = Task(executorPreference: executor) {
            guard let connection else {
                Log.daemon.debug("no system bus; only the clocks notice the end of a sleep")
                return false
            }
            do throws(BusError) {
                try await connection.open()
                return true
            } catch {
                Log.daemon.info(
                    "the system bus does not report sleep, time zones and locks: \(error.message)")
                return false
            }
        }
    }

    /// The open connection; nil if the system bus cannot be reached.
    package func opened() async -> BusConnection? {
        await opening.value ? connection : nil
    }

    package func close() async {
        await connection?.close()
    }
}
