public import DesktopBus
internal import Glibc
public import NotificationModel
internal import Reactor

/// Starts apps as the desktop does, with the activation token that lets them raise a window.
///
/// If the file system of an app's files hangs, the launch fails after a timeout.
///
/// A started app outlives this program. The bus starts the app, systemd runs it as a unit, or it
/// becomes a detached process in its own session.
///
/// No shell runs. Variables that belong to this program alone are not passed on.
public struct DesktopLauncher: ApplicationLauncher {
    /// How long an app may take to answer the call that starts it; the bus has the same timeout.
    private static let timeout = Duration.seconds(25)
    /// Variables that belong to this program alone or to an earlier click.
    private static let ownVariables: Set<String> = [
        "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "NOTIFY_SOCKET", "INVOCATION_ID",
        "JOURNAL_STREAM", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "MANAGERPID",
        "SYSTEMD_EXEC_PID", "TOCSIN_APP_ID", "TOCSIN_MODE", launchedFor,
        DesktopFileText.actionVariable, "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    ]
    /// Variables that a systemd unit gets in addition to the variables of systemd's manager.
    private static let sessionVariables: Set<String> = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
        "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "TOCSIN_APP_ID", launchedFor,
    ]
    private static let invalidArguments: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    /// The variable that names the request whose response starts the program.
    private static let launchedFor = "TOCSIN_LAUNCHED_FOR"

    private let connection: BusConnection
    private let environment: @Sendable () async -> [String: String]
    var entry: @Sendable (String) -> LaunchEntry? = LaunchEntry.installed
    private let files: HangingWork

    /// Makes a launcher.
    ///
    /// The launcher reads the environment at each start, because a desktop session may get its
    /// display late.
    public init(
        connection: BusConnection, environment: @escaping @Sendable () async -> [String: String]
    ) {
        self.connection = connection
        self.environment = environment
        files = HangingWork(reactor: connection.reactor)
    }

    /// Starts the app in the way that `LaunchPlan` chooses.
    ///
    /// - Returns: False if `LaunchPlan` finds no way to start the app.
    /// - Throws: `protocolViolation` if the start fails, or if the file system of the app's files
    ///   does not answer.
    public func launch(_ request: LaunchRequest) async throws(NotificationError) -> Bool {
        let (find, id) = (entry, request.app.rawValue)
        let entry = try await runOnFiles(of: request) { find(id) }
        guard let plan = LaunchPlan(request, entry: entry) else { return false }
        let variables = await variables(for: request, plan)
        switch plan {
        case .activate:
            try await activate(request, entry, variables)
        case .exec:
            try await start(entry, request, variables)
        case .program(let arguments, let directory, _):
            try await start(arguments, in: directory, request, entry, variables)
        }
        return true
    }

    private func variables(
        for request: LaunchRequest, _ plan: LaunchPlan
    ) async -> [String: String] {
        var result = await environment().filter { !Self.ownVariables.contains($0.key) }
        result["XDG_ACTIVATION_TOKEN"] = request.activationToken
        // Programs that know only X11 read this older name.
        result["DESKTOP_STARTUP_ID"] = request.activationToken
        // An environment value cannot contain NUL.
        let identifier = request.response?.notification.request.identifier
        result[Self.launchedFor] = identifier?.utf8.contains(0) == true ? nil : identifier
        if case .program(_, _, isNamed: true) = plan {
            result["TOCSIN_APP_ID"] = request.app.rawValue
        }
        return result
    }

    // MARK: By a call

    private func activate(
        _ request: LaunchRequest, _ entry: LaunchEntry?, _ variables: [String: String]
    ) async throws(NotificationError) {
        guard let call = ApplicationCall.call(for: request, token: request.activationToken)
        else { throw failure(request, "its id is not a valid bus name") }
        do throws(BusError) {
            _ = try await connection.call(call, timeout: Self.timeout)
        } catch {
            switch error.code {
            // The app may have started without answering, so it counts as started.
            case .timedOut: return
            case .noReply:
                guard await hasNoOwner(call.destination) else { return }
                // The app got the call and may have acted on it, so `Exec` must not start it again.
                throw failure(request, "it left the bus before it answered the call that starts it")
            case .serviceUnknown where request.mode == .foreground && entry?.exec != nil:
                try await start(entry, request, variables)
            // The app runs, but exports no action of this name that takes the identifier (GLib,
            // gapplicationimpl-dbus.c).
            case .remote(Self.invalidArguments) where call.member == "ActivateAction":
                guard request.mode == .foreground else { return }
                // `Activate` shows the app's window.
                var request = request
                request.response = nil
                try await activate(request, entry, variables)
            default: throw failure(request, error.message)
            }
        }
    }

    /// True if no connection owns the name; false if a connection owns it, or if the bus does not
    /// answer.
    private func hasNoOwner(_ name: BusName) async -> Bool {
        do throws(BusError) {
            return try await connection.owner(of: name) == nil
        } catch {
            return false
        }
    }

    // MARK: By a program

    private func start(
        _ entry: LaunchEntry?, _ request: LaunchRequest, _ variables: [String: String]
    ) async throws(NotificationError) {
        guard let entry, var arguments = ExecKey.arguments(of: entry) else {
            throw failure(request, "its desktop file has no usable Exec key")
        }
        if entry.needsTerminal {
            let search = ProgramSearch(environment: variables)
            guard let wrapped = TerminalProgram.around(arguments, in: search) else {
                throw failure(
                    request, "it needs a terminal program, but no such program is installed")
            }
            arguments = wrapped
        }
        try await start(arguments, in: entry.directory ?? "", request, entry, variables)
    }

    private func start(
        _ arguments: [String], in directory: String, _ request: LaunchRequest,
        _ entry: LaunchEntry?,
        _ variables: [String: String]
    ) async throws(NotificationError) {
        let name = arguments.first ?? ""
        let home = variables["HOME"] ?? "/"
        let places = try await runOnFiles(of: request) {
            (
                program: ProgramSearch(environment: variables).path(of: name),
                directory: [directory, home].first(where: Self.isDirectory) ?? "/"
            )
        }
        guard let path = places.program else {
            throw failure(request, "the program \(name.quotedForMessage()) was not found")
        }
        let arguments = [path] + arguments.dropFirst()
        let directory = places.directory
        let title = entry.map { $0.name.isEmpty ? $0.id : $0.name } ?? request.app.rawValue
        switch await startUnit(arguments, in: directory, request.app, titled: title, variables) {
        case .started: return
        case .failed(let reason): throw failure(request, "\(path.quotedForMessage()): \(reason)")
        case .refused: break
        }
        let outcome = try await runOnFiles(of: request) {
            Result { () throws(SystemFailure) in
                try Subprocess.detach(arguments, environment: variables, directory: directory)
            }
        }
        if case .failure(let error) = outcome {
            throw failure(request, "\(path.quotedForMessage()): \(error)")
        }
    }

    /// Runs work on the app's files, with a timeout in case their file system does not answer.
    private func runOnFiles<Value: Sendable>(
        of request: LaunchRequest, _ work: @escaping @Sendable () -> Value
    ) async throws(NotificationError) -> Value {
        let value = await files.result(
            for: request.app.rawValue, within: Limits.fileWait.duration, work)
        guard let value else {
            throw failure(request, "the file system of its files does not answer")
        }
        return value
    }

    /// Starts a unit.
    ///
    /// The result is `refused` if systemd is not on the bus or rejects the unit, or if a unit
    /// cannot have this name or directory.
    private func startUnit(
        _ arguments: [String], in directory: String, _ app: ApplicationID, titled title: String,
        _ variables: [String: String]
    ) async -> UnitStart.Outcome {
        let instance = String(UInt64.random(in: .min ... .max), radix: 16)
        guard let name = TransientUnit.name(of: app.rawValue, instance: instance),
            TransientUnit.isUsable(directory: directory),
            (try? await connection.owner(of: "org.freedesktop.systemd1")) ?? nil != nil
        else { return .refused }
        let unit = TransientUnit(
            name: name, description: title, arguments: arguments,
            environment: variables.filter { Self.sessionVariables.contains($0.key) },
            directory: directory)
        return await UnitStart(connection: connection, unit: unit).outcome()
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return path.hasPrefix("/") && stat(path, &status) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    private func failure(_ request: LaunchRequest, _ reason: String) -> NotificationError {
        NotificationError(
            .protocolViolation,
            "\(request.app) could not be started: \(reason). Check its desktop file, or write one "
                + "with 'tocsin register'.")
    }
}
