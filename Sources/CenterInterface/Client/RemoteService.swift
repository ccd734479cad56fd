public import DesktopBus
public import NotificationModel
public import Reactor

/// The notification centre in the daemon, reached over the bus.
///
/// If the daemon is replaced, the service connects its sessions again. It repeats an interrupted
/// call only if the repetition has no second effect. An interrupted `add` fails with `noDaemon`,
/// because a repetition could show the notification again. The caller may repeat the `add`: it
/// replaces a pending request with the same identifier.
///
/// If the user's notification centre serves the session bus of another login, calls and service
/// sessions move to that bus. They return to this program's bus when that login ends.
public actor RemoteService: MemberCalling, ReactorActor {
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    /// The bus of this program's session.
    let home: BusConnection
    let launcher: DaemonLauncher?
    /// Whether calls move to the bus that the daemon serves.
    private let followsStore: Bool
    /// Gets a sentence for the user if the daemon's answer takes more than about a second.
    private let onDelay: (@Sendable (String) -> Void)?
    /// The bus that the daemon serves, if it is not `home`; nil otherwise.
    var elsewhere: BusConnection?
    var moving: Task<NotificationError?, Never>?
    /// The bus that calls go to.
    var connection: BusConnection { elsewhere ?? home }

    var sessions: [ServiceSession: RemoteSession] = [:]
    /// The responses that an app has processed but that are not yet acknowledged to the daemon.
    ///
    /// The key is the number of a response, the value is the date of its notification. If a daemon
    /// sends such a response again, the client repeats the acknowledgement. Another store may use
    /// the same number for another response, so the date must be the same, too.
    var handled: [Int64: Instant] = [:]
    var watches: [ServiceSession: RemoteWatch] = [:]
    var lastSession: UInt64 = 0
    var subscriptions: [BusSubscription] = []
    var listening: Task<Result<Void, BusError>, Never>?
    var restarts: RestartBudget
    var followsHome = false
    /// Whether a daemon owns the name on the bus that calls go to.
    var hasDaemon = false
    /// Counts the daemons that have left or were replaced.
    var departures = 0
    /// Counts the changes of the daemon and the registrations with a new daemon.
    ///
    /// A registration is retried only until this number changes.
    var registrations = 0
    private var window = CallWindow()
    private var detours = CallDetours()

    /// Makes a service without looking for the daemon; the first call finds or starts it.
    ///
    /// The connection must be open. Without a launcher, the service uses only a daemon that runs or
    /// that the bus can start. If `followsStore` is false, calls fail with `storeElsewhere` when
    /// the daemon serves another bus. `onDelay` gets a sentence for the user if the daemon's answer
    /// takes more than about a second.
    public init(
        connection: BusConnection, launcher: DaemonLauncher?, followsStore: Bool = true,
        restartBackoff: Backoff = Backoff(first: .seconds(60), longest: .seconds(3_600)),
        onDelay: (@Sendable (String) -> Void)? = nil
    ) {
        home = connection
        self.launcher = launcher
        self.followsStore = followsStore
        restarts = RestartBudget(backoff: restartBackoff)
        self.onDelay = onDelay
        reactor = connection.reactor
    }

    /// Finds or starts the daemon, and makes a service that calls it.
    ///
    /// - Throws: `noDaemon` if no daemon runs and none can be started in time; `noBus` if the bus
    ///   is lost.
    public static func open(
        connection: BusConnection, launcher: DaemonLauncher?
    ) async throws(NotificationError) -> RemoteService {
        let service = RemoteService(connection: connection, launcher: launcher)
        try await service.launch()
        return service
    }

    func launch() async throws(NotificationError) {
        if let launcher { return try await launcher.ensure(on: home, onDelay: onDelay) }
        try await DaemonLauncher(executable: nil, environment: [:]).ensure(on: home)
    }

    /// Calls a member of the daemon, and starts a daemon if none runs.
    ///
    /// - Throws: The error that the daemon reports; `noDaemon` or `noBus` if it cannot be reached;
    ///   `storeElsewhere` if it serves a bus that cannot be reached; `outdatedDaemon` if it does
    ///   not know the member; `protocolViolation` if its answer cannot be decoded;
    ///   `invalidArgument` if D-Bus cannot carry the input.
    package func call<Input, Output>(
        _ member: Member<Input, Output>, _ input: Input
    ) async throws(NotificationError) -> Output {
        try await call(member, input, startingDaemon: true)
    }

    /// Calls a member; if `startingDaemon` is false, the call fails if no daemon runs.
    func call<Input, Output>(
        _ member: Member<Input, Output>, _ input: Input, startingDaemon: Bool
    ) async throws(NotificationError) -> Output {
        let call = Call(
            name: member.name, arguments: try member.input.encode(input),
            isRepeatable: member.isRepeatable, cost: member.cost, startsDaemon: startingDaemon)
        let answer = try await performInTurn(call)
        do throws(NotificationError) {
            return try member.output.decode(answer)
        } catch {
            throw NotificationError.undecodable("answer to \(member.name)", error)
        }
    }

    private struct Call {
        let name: MemberName
        let arguments: [BusValue]
        let isRepeatable: Bool
        let cost: MemberCost
        let startsDaemon: Bool
    }

    private func performInTurn(_ call: Call) async throws(NotificationError) -> [BusValue] {
        // A wait may take days, so it must not count against the limit of other calls.
        guard !call.cost.isWait else { return try await perform(call) }
        // Only the last argument holds files.
        let files = call.arguments.last?.arrayValue?.count { $0.descriptorValue != nil } ?? 0
        if let place = window.acquire(files: files) {
            await place.value()
            window.waiterResumed()
        }
        defer { window.release(files: files) }
        return try await perform(call)
    }

    private func perform(_ call: Call) async throws(NotificationError) -> [BusValue] {
        var remedies = 0
        let number = detours.nextNumber()
        defer { detours.callEnded(number) }
        while true {
            while let turn = detours.promiseOfTurn(of: number, to: ObjectIdentifier(connection)) {
                await turn.value()
            }
            // No later call waits for a call that may take days.
            detours.callSent(number, to: ObjectIdentifier(connection))
            if call.cost.isWait { detours.callEnded(number) }
            let place = elsewhere
            do throws(BusError) {
                return try await answer(to: call)
            } catch {
                guard remedies < 4 else { throw Self.failure(of: call.name, error) }
                remedies += 1
                detours.callRepeated(number)
                try await remedy(error, of: call, at: place)
            }
        }
    }

    /// Moves to another bus or starts a daemon, so that the call can be made again.
    ///
    /// - Throws: The error of the call if the call must not be made again, or the error of the move
    ///   or start.
    private func remedy(
        _ error: BusError, of call: Call, at place: BusConnection?
    ) async throws(NotificationError) {
        if let address = error.servedBus {
            guard followsStore else { throw NotificationError(error) }
            return try await moveConnection(to: address)
        }
        let mayHaveBegun = error.code == .noReply || error.code == .disconnected
        let isGone =
            error.code == .serviceUnknown || error.code == .noReply
            || (place != nil && error.code == .disconnected)
        guard isGone, call.isRepeatable || !mayHaveBegun else {
            throw Self.failure(of: call.name, error)
        }
        if let place { return await moveHome(from: place) }
        guard call.startsDaemon else { throw Self.failure(of: call.name, error) }
        try await launch()
    }

    /// Makes one attempt, which fails if the daemon hangs.
    ///
    /// A call that may wait for days has no `CallVigil`, which would wake the machine again and
    /// again. So such a call does not fail if the daemon is stopped (SIGSTOP) for a while.
    private func answer(to call: Call) async throws(BusError) -> [BusValue] {
        let connection = connection
        let mayStart = call.startsDaemon && elsewhere == nil
        let message = MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: call.name, arguments: call.arguments, flags: mayStart ? [] : .noAutoStart)
        // Start at once, so that calls leave in the order in which they were made.
        let task = Task.immediate { () async -> Result<[BusValue], BusError> in
            do throws(BusError) {
                return .success(
                    try await connection.call(message, timeout: call.cost.timeout).arguments)
            } catch {
                return .failure(error)
            }
        }
        let vigil = CallVigil(connection, onDelay: onDelay) { task.cancel() }
        if !call.cost.isWait { await vigil.start() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        await vigil.stop()
        if case .failure = result, let failure = await vigil.failure { throw failure }
        return try result.get()
    }

    private static func failure(of member: MemberName, _ error: BusError) -> NotificationError {
        if error.remoteName == "org.freedesktop.DBus.Error.UnknownMethod" {
            return NotificationError(
                .outdatedDaemon,
                "The tocsind that runs here is older than this program, and does not know the "
                    + "call \(member). Restart it with 'systemctl --user restart tocsind', or log "
                    + "out and in.")
        }
        guard error.code == .noReply else { return NotificationError(error) }
        return NotificationError(
            .noDaemon,
            "The notification centre ended or lost the bus while it worked on \(member), so it is "
                + "unknown whether the call took effect. Look at the list before you repeat the "
                + "call; a request that is added again replaces the first request.")
    }

    /// Calls the daemon, but starts no daemon: a new daemon would have nothing to change.
    func callIfThere<Input, Output>(_ member: Member<Input, Output>, _ input: Input) async {
        guard let arguments = try? member.input.encode(input) else { return }
        _ = try? await connection.call(
            MethodCall(
                destination: CenterName.bus, path: CenterName.path,
                interface: CenterName.interface, member: member.name, arguments: arguments,
                flags: .noAutoStart))
    }
}
