public import DesktopBus
internal import Glibc
public import NotificationModel
internal import Reactor

/// Makes sure that a notification centre is on the bus.
///
/// It uses the first of these daemons that it can get:
/// 1. a running daemon,
/// 2. a daemon that the bus can start,
/// 3. the `tocsind` beside this program; `PATH` is not searched.
///
/// It waits for the daemon to own its name, or reports why there is no daemon. It starts no daemon
/// for a program with more rights than its user, and no daemon on another user's bus.
public struct DaemonLauncher: Sendable {
    /// The path of the daemon to start if the bus knows no daemon; nil if this launcher can start
    /// no daemon.
    ///
    /// The path is looked up only when it is needed, because most programs never need it.
    private let executable: @Sendable () -> String?
    /// The environment of the daemon, read when it is needed.
    private let environment: @Sendable () -> [String: String]
    /// The path of the file for the daemon's output; nil discards the output.
    public var log: String?
    /// How long a daemon may take to own the name after the bus or this launcher has started it.
    public var timeout: Duration

    /// Makes a launcher for the daemon beside this program.
    ///
    /// The daemon gets `environment`, with the address of the bus for which it is started.
    public init(
        environment: @autoclosure @escaping @Sendable () -> [String: String], log: String? = nil
    ) {
        self.init({ CompanionProgram.beside("tocsind") }, environment, log, .seconds(5))
    }

    /// Makes a launcher for a given daemon.
    public init(
        executable: String?, environment: [String: String], log: String? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.init({ executable }, { environment }, log, timeout)
    }

    private init(
        _ executable: @escaping @Sendable () -> String?,
        _ environment: @escaping @Sendable () -> [String: String],
        _ log: String?, _ timeout: Duration
    ) {
        self.executable = executable
        self.environment = environment
        self.log = log
        self.timeout = timeout
    }

    /// Returns when the name has an owner; `onDelay` gets a message if that takes more than a
    /// second.
    ///
    /// - Throws: `noDaemon` if no daemon runs and none can be started in time; `noBus` if the bus
    ///   is lost.
    public func ensure(
        on connection: BusConnection, onDelay: (@Sendable (String) -> Void)? = nil
    ) async throws(NotificationError) {
        let isWaiting = Locked(true)
        connection.reactor.perform(after: .seconds(1)) { [timeout] in
            guard isWaiting.withLock({ $0 }) else { return }
            onDelay?("The notification centre is being started; this takes up to \(timeout).")
        }
        defer { isWaiting.withLock { $0 = false } }
        let owner: BusName?
        do throws(BusError) {
            owner = try await connection.owner(of: CenterName.bus)
        } catch {
            throw NotificationError(error)
        }
        guard owner == nil, try await !activate(on: connection) else { return }
        try await start(try startable(on: connection), on: connection)
    }

    /// Whether a notification centre is on the bus or can be started.
    ///
    /// The result is also true if the bus does not answer.
    public func canServe(on connection: BusConnection) async -> Bool {
        do throws(BusError) {
            if try await connection.availability(of: CenterName.bus) != .absent { return true }
        } catch {
            return true
        }
        return (try? await startable(on: connection)) != nil
    }

    /// Lets the bus start the daemon; returns false if the bus knows no daemon.
    ///
    /// The bus's list of names may lack a daemon that was just installed. If the installation made
    /// the folder of the service files, dbus-daemon finds the files only at a call like this one.
    private func activate(
        on connection: BusConnection
    ) async throws(NotificationError) -> Bool {
        do throws(BusError) {
            try await connection.startService(CenterName.bus, timeout: timeout)
            return true
        } catch {
            // dbus-broker reports a failed start as NameHasNoOwner, which has the same code.
            if error.remoteName == "org.freedesktop.DBus.Error.ServiceUnknown" { return false }
            guard error.code != .timedOut else {
                throw NotificationError(
                    .noDaemon,
                    "The bus did not start the notification centre within \(timeout). Run "
                        + "'tocsind' in a terminal to see why.")
            }
            guard error.remoteName != nil else { throw NotificationError(error) }
            throw NotificationError(
                .noDaemon,
                "The bus could not start the notification centre: \(error.message) Run "
                    + "'tocsind' in a terminal to see why.")
        }
    }

    /// Returns the daemon's path if this program may start the daemon; otherwise throws.
    private func startable(
        on connection: BusConnection
    ) async throws(NotificationError) -> String {
        guard let executable = executable() else {
            throw NotificationError(
                .noDaemon,
                "No notification centre is running or installed, and this program cannot start "
                    + "one. Install Tocsin, or start 'tocsind'.")
        }
        guard access(executable, X_OK) == 0 else {
            throw NotificationError(
                .noDaemon,
                "No notification centre is running or installed, and there is no 'tocsind' at "
                    + "\(executable.quotedForMessage()). Install Tocsin, or put tocsind beside "
                    + "this program.")
        }
        guard !Subprocess.hasSpecialRights else {
            throw NotificationError(
                .noDaemon,
                "No notification centre runs, and this program may not start one, because it "
                    + "has special rights. Start 'tocsind' as the user first.")
        }
        let uid: UInt32?
        do throws(BusError) {
            uid = try await connection.credentials(of: "org.freedesktop.DBus").uid
        } catch {
            throw NotificationError(error)
        }
        guard uid == geteuid() else {
            throw NotificationError(
                .noDaemon,
                "No notification centre runs. This bus belongs to another user, so this program "
                    + "starts no notification centre here. Run this program as that user.")
        }
        return executable
    }

    private func start(
        _ path: String, on connection: BusConnection
    ) async throws(NotificationError) {
        // If several programs start a daemon at once, one daemon gets the name, and the others end.
        // This program's daemon may end before the other daemon has the name. So make a second
        // attempt, which waits once more until the name has an owner.
        makeLogDirectory()
        for _ in 0..<2 {
            let process: Subprocess.Child
            do throws(SystemFailure) {
                process = try startDaemon(path, on: connection.address)
            } catch {
                throw NotificationError(
                    .noDaemon,
                    "The notification centre \(path.quotedForMessage()) could not be started: "
                        + "\(error). Check that it is a program for this machine.")
            }
            let arrival = DaemonArrival(connection: connection, process: process.end)
            switch await arrival.outcome(timeout: timeout) {
            case .arrived: return
            case .ended: continue
            case .failed(let error): throw NotificationError(error)
            case .late:
                throw NotificationError(
                    .noDaemon,
                    "The notification centre \(path.quotedForMessage()) was started but is not on "
                        + "the bus after \(timeout). \(logHint)")
            }
        }
        throw NotificationError(
            .noDaemon,
            "The notification centre \(path.quotedForMessage()) ended as soon as it was started. "
                + logHint)
    }

    private func startDaemon(
        _ path: String, on address: BusAddress
    ) throws(SystemFailure) -> Subprocess.Child {
        var environment = environment()
        environment["DBUS_SESSION_BUS_ADDRESS"] = address.rawValue
        var program = Subprocess(
            [path, "--dev"], .detached, environment: environment, directory: "/")
        let file =
            log.map {
                open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
            } ?? -1
        defer { if file >= 0 { close(file) } }
        program.output = file >= 0 ? .descriptor(file) : .null
        program.errors = program.output
        return try program.start()
    }

    private var logHint: String {
        let remedy = "Run it in a terminal to see why."
        guard let log, let said = LogFile.lastLine(of: log) else { return remedy }
        return "It said: \(said.quotedForMessage(limit: 300))"
    }

    private func makeLogDirectory() {
        guard let log, let slash = log.lastIndex(of: "/") else { return }
        Directory.make(String(log[..<slash]), mode: 0o700)
    }
}
