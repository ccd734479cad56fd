public import DesktopBus
public import NotificationModel
public import Reactor

/// Whether the user's session is locked, according to logind and the screen savers on the session
/// bus.
///
/// `follow` returns a first status within the timeout. The listener gets each later change once.
/// Without any source the session counts as unlocked.
///
/// No source is started, and nothing runs between changes.
public actor SessionLock: LockSource, ReactorActor {
    /// How long a source may take to answer; a starting desktop is slow.
    static let answerLimit: Duration = .seconds(60)

    /// The reactor of both connections.
    public nonisolated let reactor: Reactor

    let sessionBus: BusConnection
    let systemBus: @Sendable () async -> BusConnection?
    /// The id that logind gave this process's session; nil if this process belongs to no session.
    let sessionID: String?
    let userID: UInt32
    private let timeout: Duration
    private let retry: Backoff

    private var listener: @Sendable (LockStatus) -> Void = { _ in }
    var state = LockState()
    private var owners: [BusName: BusName] = [:]
    var subscriptions: [BusSubscription] = []
    private var reported = LockStatus()
    /// The gate that opens when every source has answered, or at the timeout.
    private var answers = AsyncGate<Void>()
    /// The subscriptions that the bus refused, and that are waiting for the next attempt.
    private var refused: [@Sendable (isolated SessionLock) async -> Void] = []
    private var refusals = 0

    // Only `SessionLock+Logind.swift` uses the properties below.

    /// The login session that was found last, even if it has ended.
    var session: ObjectPath?
    var user: ObjectPath?
    var sessionSubscription: BusSubscription?
    var userSubscription: BusSubscription?
    /// Counts the searches for the session, so that a late answer is recognised.
    var searchCount = 0
    /// Counts the hints in signals, so that an answer from before a signal is recognised.
    var hintCount = 0

    /// Makes a lock source that listens to nothing before `follow`.
    ///
    /// Both connections share a reactor; `systemBus` may return its connection late, or nil.
    /// `timeout` is how long the first status waits for all sources. If a bus refuses a
    /// subscription, `retry` has the pauses between the attempts.
    public init(
        sessionBus: BusConnection, environment: [String: String], userID: UInt32,
        timeout: Duration = .seconds(2),
        retry: Backoff = Backoff(first: .seconds(1), longest: .seconds(60)),
        systemBus: @escaping @Sendable () async -> BusConnection?
    ) {
        self.sessionBus = sessionBus
        self.systemBus = systemBus
        self.userID = userID
        self.timeout = timeout
        self.retry = retry
        sessionID = environment["XDG_SESSION_ID"].flatMap { $0.isEmpty ? nil : $0 }
        reactor = sessionBus.reactor
    }

    /// Subscribes to every source and asks each source for its status.
    ///
    /// The result does not wait for sources that exceed the timeout. Their later answers go to the
    /// listener if they change the status.
    public func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus {
        self.listener = listener
        question {
            for locker in Desktops.lockers { await $0.watch(locker) }
        }
        question { await $0.watchLogind() }
        let end = deadline(after: timeout) { $0.settleFirstStatus() }
        await answers.valuePromise().value()
        end.cancel()
        return reported
    }

    /// Records a change that a source reports, and calls the listener if the status differs.
    func recordAnswer(_ isLocked: Bool?, by source: BusName) {
        state.recordAnswer(isLocked, by: source.rawValue)
        reportStatus()
    }

    private func reportStatus() {
        let status = state.status
        // While a source has not answered, report only a change of `isLocked`.
        guard answers.isOpen, status != reported,
            status.isDecided || status.isLocked != reported.isLocked
        else { return }
        reported = status
        listener(status)
    }

    /// Runs work that asks sources for their status; the status is undecided until the work ends.
    func question(_ work: @escaping @Sendable (isolated SessionLock) async -> Void) {
        state.questionBegan()
        Task {
            await work(self)
            questionEnded()
        }
    }

    /// Ends a question, and reports the status; the work has recorded its answers before.
    private func questionEnded() {
        state.questionEnded()
        if state.openQuestions == 0 { settleFirstStatus() }
        reportStatus()
    }

    /// Does the work again after a pause, because a bus has refused a subscription.
    ///
    /// The loss of the bus needs no retry: the connection restores its subscriptions, or is closed.
    func retryLater(
        after error: BusError, _ work: @escaping @Sendable (isolated SessionLock) async -> Void
    ) {
        guard error.code != .disconnected else { return }
        refused.append(work)
        guard refused.count == 1 else { return }
        let pause = retry.pause(afterFailures: refusals, fraction: 0)
        refusals += 1
        deadline(after: pause) { lock in
            let works = lock.refused
            lock.refused = []
            lock.question { for work in works { await work($0) } }
        }
    }

    private func settleFirstStatus() {
        guard !answers.isOpen else { return }
        reported = state.status
        answers.open(())
    }

    // MARK: The screen savers

    private func watch(_ locker: Locker) async {
        do throws(BusError) {
            let question = try LockQuestion(locker)
            let changes = try await sessionBus.subscribe(question.changes) { [weak self] signal in
                guard let isActive = signal.arguments.first?.boolValue else { return }
                self?.assumeIsolated { $0.recordAnswer(isActive, by: question.bus) }
            }
            let owner = try await sessionBus.watchOwner(of: question.bus) { [weak self] owner in
                self?.assumeIsolated { $0.ownerChanged(to: owner, of: question) }
            }
            subscriptions += [changes, owner]
        } catch {
            state.recordAnswer(nil, by: locker.bus)
            reportStatus()
            retryLater(after: error) { await $0.watch(locker) }
        }
    }

    private func ownerChanged(to owner: BusName?, of question: LockQuestion) {
        owners[question.bus] = owner
        guard let owner else { return recordAnswer(nil, by: question.bus) }
        state.questionBegan()
        sessionBus.call(question.call, timeout: Self.answerLimit) { [weak self] result in
            self?.assumeIsolated { lock in
                defer { lock.questionEnded() }
                guard lock.owners[question.bus] == owner else { return }
                let isActive = try? result.get().arguments.first?.boolValue
                lock.state.recordAnswer(isActive, by: question.bus.rawValue)
            }
        }
    }
}

/// The call that asks a locker whether it is active, and the signal that reports its changes.
struct LockQuestion: Sendable {
    let bus: BusName
    let call: MethodCall
    /// The rule matches any path, because KDE's locker has two paths for one object.
    let changes: MatchRule

    init(_ locker: Locker) throws(BusError) {
        bus = try BusName(locker.bus)
        let interface = try InterfaceName(locker.bus)
        call = MethodCall(
            destination: bus, path: try ObjectPath("/" + locker.bus.replacing(".", with: "/")),
            interface: interface, member: "GetActive", flags: .noAutoStart)
        changes = MatchRule(sender: bus, interface: interface, member: "ActiveChanged")
    }
}
