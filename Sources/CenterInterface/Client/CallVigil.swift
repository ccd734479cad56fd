internal import DesktopBus
internal import Reactor

/// Watches over one call that has no answer yet: finds out whether the daemon works on it, is being
/// started, or hangs.
///
/// It lives on the reactor of its connection. A daemon that works answers a ping at once, and its
/// call may take as long as it needs. A stopped daemon is found after `silence`, one that hangs or
/// does not start after `limit`.
actor CallVigil: ReactorActor {
    /// How long a call may be silent before the daemon is looked at.
    static let silence: Duration = .milliseconds(650)
    /// When the user is told that the answer takes time.
    static let courtesy: Duration = .seconds(1)
    /// How long a daemon on a busy machine may leave a ping without an answer before the user is told.
    static let slowness: Duration = .milliseconds(1_500)
    /// How long a daemon may take that neither answers nor is stopped.
    static let limit: Duration = .seconds(5)

    nonisolated let reactor: Reactor
    private let connection: BusConnection
    private let onDelay: (@Sendable (String) -> Void)?
    private let onFailure: @Sendable () -> Void
    private var deadline: Deadline?
    private var hasEnded = false
    private var hasTold = false
    /// Whether the daemon has not answered the last ping.
    private var isPinging = false
    /// Whether the daemon was not there at the last look.
    private var isStarting = false
    /// Why the call is given up; nil while it is not.
    private(set) var failure: BusError?

    /// Makes a vigil; `onDelay` is told once that the answer takes time, `onFailure` that the call is
    /// of no use any more.
    init(
        _ connection: BusConnection, onDelay: (@Sendable (String) -> Void)?,
        onFailure: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.onDelay = onDelay
        self.onFailure = onFailure
        reactor = connection.reactor
    }

    /// Begins to watch.
    func begin() {
        schedule(after: Self.silence) { $0.ping(limit: Self.limit - Self.silence) }
    }

    /// The call has ended.
    func end() {
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
            self?.assumeIsolated { $0.pinged(result) }
        }
        // A daemon that answers does so long before this.
        schedule(after: .milliseconds(100)) { vigil in
            Task { [weak vigil] in await vigil?.inspect() }
        }
    }

    /// Does a step after a pause, in place of the step that was scheduled.
    private func schedule(
        after pause: Duration, _ step: @escaping @Sendable (isolated CallVigil) -> Void
    ) {
        deadline?.cancel()
        deadline = reactor.deadline(after: pause) { [weak self] in self?.assumeIsolated(step) }
    }

    private func pinged(_ result: Result<BusReply, BusError>) {
        guard !hasEnded else { return }
        isPinging = false
        switch result {
        case .success:
            isStarting = false
            schedule(after: Self.limit) { $0.ping(limit: Self.limit) }
            if onDelay != nil, !hasTold { askWhetherOpening() }
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
            tell("The notification centre is being started; this takes up to \(Self.limit).")
            // It may be there by then.
            schedule(after: Self.limit - Self.silence) { $0.ping(limit: Self.limit) }
        case .failure:
            // The call itself fails for the same reason.
            break
        }
    }

    /// Has the daemon say whether it is opening its store, once the call takes a second.
    ///
    /// A call that waits for a person or for the end of something takes as long as that takes, and
    /// one on a busy machine is slow: neither is worth a word. This question waits for nothing.
    private func askWhetherOpening() {
        reactor.deadline(after: Self.courtesy - Self.silence) { [weak self] in
            self?.assumeIsolated { $0.ask() }
        }
    }

    private func ask() {
        guard !hasEnded, !hasTold else { return }
        let call = MethodCall(
            reading: "Opening", of: CenterName.interface, destination: CenterName.bus,
            path: CenterName.path, flags: .noAutoStart)
        connection.call(call, timeout: Self.limit - Self.courtesy) { [weak self] result in
            self?.assumeIsolated { $0.heard(result) }
        }
    }

    private func heard(_ result: Result<BusReply, BusError>) {
        switch result {
        case .success(let reply) where reply.arguments.first?.unwrapped.boolValue == true:
            tell("The notification centre is opening its store; waiting for it.")
        case .failure(let error) where error.code == .timedOut:
            tell("The notification centre is busy; waiting for it.")
        // A daemon of an earlier version does not know the question.
        case .success, .failure: break
        }
    }

    /// Tells the user once.
    private func tell(_ message: String) {
        guard !hasEnded, !hasTold else { return }
        hasTold = true
        onDelay?(message)
    }

    /// Tells a stopped process from one that is slow, which has a while before that is told.
    private func inspect(isLate: Bool = false) async {
        let process = try? await connection.credentials(of: CenterName.bus).pid
        guard !hasEnded, isPinging else { return }
        if let process, CallerProgram(process: process).isStopped {
            fail(
                "The notification centre is stopped (process \(process)). Let it go on: kill -CONT "
                    + "\(process).")
        } else if isLate {
            tell("The notification centre does not answer yet; this takes up to \(Self.limit).")
        } else {
            schedule(after: Self.slowness) { vigil in
                Task { [weak vigil] in await vigil?.inspect(isLate: true) }
            }
        }
    }

    private func fail(_ message: String) {
        guard !hasEnded else { return }
        end()
        failure = BusError(.timedOut, message)
        onFailure()
    }
}
