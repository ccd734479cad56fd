public import DesktopBus
public import NotificationModel
public import Reactor

/// The notification centre in the daemon, reached over the bus.
///
/// When the daemon is replaced, live sessions are connected again. A call that the daemon's death
/// interrupts is made again where that changes nothing twice; `add` fails with `noDaemon` instead,
/// and may be repeated by the caller: the same identifier replaces the request.
public actor RemoteService: NotificationService {
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    let connection: BusConnection
    let launcher: DaemonLauncher?

    /// The reactor, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    var sessions: [ServiceSession: RemoteSession] = [:]
    var watches: [ServiceSession: RemoteWatch] = [:]
    var lastSession: UInt64 = 0
    var subscriptions: [BusSubscription] = []
    var listening: Task<Result<Void, BusError>, Never>?
    var restarts = RestartBudget()
    private var window = CallWindow()

    /// Makes a service without looking for the daemon; the first call finds or starts it.
    ///
    /// The connection must be open. Without a launcher only a running or installed daemon serves.
    public init(connection: BusConnection, launcher: DaemonLauncher?) {
        self.connection = connection
        self.launcher = launcher
        reactor = connection.reactor
    }

    /// Finds the daemon, or starts one, and makes a service of it.
    public static func open(
        connection: BusConnection, launcher: DaemonLauncher?
    ) async throws(NotificationError) -> RemoteService {
        let service = RemoteService(connection: connection, launcher: launcher)
        try await service.launch()
        return service
    }

    /// Returns when a daemon is on the bus.
    func launch() async throws(NotificationError) {
        if let launcher { return try await launcher.ensure(on: connection) }
        try await DaemonLauncher(executable: nil, environment: [:]).ensure(on: connection)
    }

    /// Calls a member of the daemon, which is started or waited for where that can help.
    func call(
        _ member: MemberName, _ arguments: [BusValue] = [], repeatable: Bool = true,
        timeout: Duration? = nil
    ) async throws(NotificationError) -> [BusValue] {
        let call = MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: member, arguments: arguments)
        if !window.enter() {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                // A place may have become free on the way here (see `DaemonArrival.outcome`).
                if window.enter() { continuation.resume() } else { window.wait(continuation) }
            }
        }
        defer { window.leave() }
        do throws(BusError) {
            return try await connection.call(call, timeout: timeout).arguments
        } catch {
            guard error.code == .serviceUnknown || (repeatable && error.code == .noReply) else {
                throw Self.failure(of: member, error)
            }
        }
        try await launch()
        do throws(BusError) {
            return try await connection.call(call, timeout: timeout).arguments
        } catch {
            throw Self.failure(of: member, error)
        }
    }

    private static func failure(of member: MemberName, _ error: BusError) -> NotificationError {
        if error.remoteName == "org.freedesktop.DBus.Error.UnknownMethod" {
            return NotificationError(
                .outdatedDaemon,
                "The tocsind that runs here is older than this program, and cannot do what was "
                    + "asked (\(member)). Restart it with 'systemctl --user restart tocsind', or log "
                    + "out and in.")
        }
        guard error.code == .noReply else { return NotificationError(error) }
        return NotificationError(
            .noDaemon,
            "The notification centre ended while it worked on \(member); whether it was done is "
                + "unknown. Do it again: the same identifier replaces what is there.")
    }

    /// Decodes an answer.
    func decode<Value>(
        _ member: String, _ read: () throws(NotificationError) -> Value
    ) throws(NotificationError) -> Value {
        do throws(NotificationError) {
            return try read()
        } catch {
            throw NotificationError.undecodable("answer to \(member)", error)
        }
    }
}
