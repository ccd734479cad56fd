internal import DesktopBus
internal import Reactor

/// Watches one unanswered call: finds out whether the daemon works on it, is starting, or hangs.
///
/// While the daemon answers pings, the call may take as long as it needs. If a ping gets no answer
/// and the daemon's process is stopped (SIGSTOP), the vigil gives up the call at once. If the
/// daemon hangs or has not started, the vigil gives up the call after `limit`. The vigil tells the
/// user at most once that the answer takes time.
actor CallVigil: ReactorActor {
    /// How long a call may be unanswered before the vigil checks the daemon.
    static let silence: Duration = .milliseconds(650)
    /// The time after which the user learns that the answer takes time.
    static let courtesy: Duration = .seconds(1)
    /// How long a daemon on a busy machine may leave a ping unanswered before the user gets a
    /// message.
    static let slowness: Duration = .milliseconds(1_500)
    /// The timeout of a daemon that does not answer although its process is not stopped.
    static let limit: Duration = .seconds(5)

    nonisolated let reactor: Reactor
    private let connection: BusConnection
    private let onDelay: (@Sendable (String) -> Void)?
    private let onFailure: @Sendable () -> Void
    private var deadline: Deadline?
    private var hasEnded = false
    private var hasReported = false
    /// Whether the daemon has not answered the last ping.
    private var isPinging = false
    /// Whether no daemon owned the name at the last check.
    private var isStarting = false
    /// The error with which the vigil has given up the call; nil before that.
    private(set) var failure: BusError?

    /// Makes a vigil that calls `onFailure` when it gives up the call.
    ///
    /// `onDelay` gets at most one message: if the daemon starts, opens its store, or is slow.
    init(
        _ connection: BusConnection, onDelay: (@Sendable (String) -> Void)?,
        onFailure: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.onDelay = onDelay
        self.onFailure = onFailure
        reactor = connection.reactor
    }

    func start() {
        schedule(after: Self.silence) { $0.ping(limit: Self.limit - Self.silence) }
    }

    func stop() {
        hasEnded = true
        deadline?.cancel()
        deadline = nil
    }

    private func ping(limit: Duration) {
        isPinging = true
        let call = MethodCall(
            destination: CenterName.bus, path: CenterName.path,
            interface: "org.freedesktop.DBus.Peer", member: "Ping", flags: .noAutoStart)
        connection.call(call, timeout: limit) { [weak self] result in
            self?.assumeIsolated { $0.pingEnded(result) }
        }
        // A healthy daemon answers a ping within this time.
        schedule(after: .milliseconds(100)) { vigil in
            Task { [weak vigil] in await vigil?.inspect() }
        }
    }

    private func schedule(
        after pause: Duration, _ step: @escaping @Sendable (isolated CallVigil) -> Void
    ) {
        deadline?.cancel()
        deadline = reactor.deadline(after: pause) { [weak self] in self?.assumeIsolated(step) }
    }

    private func pingEnded(_ result: Result<BusReply, BusError>) {
        guard !hasEnded else { return }
        isPinging = false
        switch result {
        case .success:
            isStarting = false
            schedule(after: Self.limit) { $0.ping(limit: Self.limit) }
            if onDelay != nil, !hasReported { askWhetherOpening() }
        case .failure(let error) where error.code == .timedOut:
            fail(
                "The notification centre has not answered for \(Self.limit). Restart it: systemctl "
                    + "--user restart tocsind, or end the process tocsind.")
        case .failure(let error) where error.code == .serviceUnknown:
            guard !isStarting else {
                return fail(
                    "The notification centre was not started within \(Self.limit). Run 'tocsind' in "
                        + "a terminal to see why.")
            }
            isStarting = true
            reportDelay("The notification centre is being started; this takes up to \(Self.limit).")
            // The daemon may start during this pause.
            schedule(after: Self.limit - Self.silence) { $0.ping(limit: Self.limit) }
        case .failure:
            // The call itself fails for the same reason.
            break
        }
    }

    /// When the call has taken a second, asks the daemon whether it is opening its store.
    ///
    /// A long call alone is no reason for a message, because the call may wait for the user. The
    /// daemon answers this question at once, even while it opens its store. So if the question gets
    /// no answer in time, the daemon is busy, and the user gets a message.
    private func askWhetherOpening() {
        reactor.deadline(after: Self.courtesy - Self.silence) { [weak self] in
            self?.assumeIsolated { $0.queryOpening() }
        }
    }

    private func queryOpening() {
        guard !hasEnded, !hasReported else { return }
        let call = MethodCall(
            reading: "Opening", of: CenterName.interface, destination: CenterName.bus,
            path: CenterName.path, flags: .noAutoStart)
        connection.call(call, timeout: Self.limit - Self.courtesy) { [weak self] result in
            self?.assumeIsolated { $0.openingAnswered(result) }
        }
    }

    private func openingAnswered(_ result: Result<BusReply, BusError>) {
        switch result {
        case .success(let reply) where reply.arguments.first?.unwrapped.boolValue == true:
            reportDelay("The notification centre is opening its store; waiting for it.")
        case .failure(let error) where error.code == .timedOut:
            reportDelay("The notification centre is busy; waiting for it.")
        // A daemon of an earlier version does not know the property.
        case .success, .failure: break
        }
    }

    private func reportDelay(_ message: String) {
        guard !hasEnded, !hasReported else { return }
        hasReported = true
        onDelay?(message)
    }

    /// Gives up the call if the daemon's process is stopped; otherwise tells the user after
    /// `slowness`.
    private func inspect(isLate: Bool = false) async {
        let process = try? await connection.credentials(of: CenterName.bus).pid
        guard !hasEnded, isPinging else { return }
        if let process, CallerProgram(process: process).isStopped {
            fail(
                "The notification centre is stopped (process \(process)). Resume it: kill -CONT "
                    + "\(process).")
        } else if isLate {
            reportDelay(
                "The notification centre does not answer yet; this takes up to \(Self.limit).")
        } else {
            schedule(after: Self.slowness) { vigil in
                Task { [weak vigil] in await vigil?.inspect(isLate: true) }
            }
        }
    }

    private func fail(_ message: String) {
        guard !hasEnded else { return }
        stop()
        failure = BusError(.timedOut, message)
        onFailure()
    }
}
