public import DesktopBus
public import NotificationModel
public import Reactor

/// Whether the person's session is locked, by the screen savers on the session bus and by logind.
///
/// Everybody is asked once and tells what changes; nothing is started for it, and between changes
/// nothing runs. Where nobody tells, the session counts as unlocked.
public actor SessionLock: LockSource, ReactorActor {
    /// How long one of them may take to answer; a desktop that is starting takes its time.
    static let answerLimit: Duration = .seconds(60)

    /// The reactor of both connections.
    public nonisolated let reactor: Reactor

    let sessionBus: BusConnection
    let systemBus: @Sendable () async -> BusConnection?
    /// The session as logind calls it, where this process belongs to one.
    let sessionID: String?
    let userID: UInt32
    private let patience: Duration

    private var listener: @Sendable (LockStatus) -> Void = { _ in }
    var state = LockState()
    private var owners: [BusName: BusName] = [:]
    var subscriptions: [BusSubscription] = []
    private var told = LockStatus()
    /// Opens when everybody has answered, or too late.
    private var answers = AsyncGate<Void>()

    // logind's part.
    var session: ObjectPath?
    var user: ObjectPath?
    var sessionSubscription: BusSubscription?
    var userSubscription: BusSubscription?
    /// Counts the looks for the session, so that a late answer is recognised.
    var look = 0

    /// Makes a reader; the connections share a reactor, and that to the system's bus may come late or
    /// never.
    ///
    /// `patience` is how long the first status waits for all who may know.
    public init(
        sessionBus: BusConnection, environment: [String: String], userID: UInt32,
        patience: Duration = .seconds(2), systemBus: @escaping @Sendable () async -> BusConnection?
    ) {
        self.sessionBus = sessionBus
        self.systemBus = systemBus
        self.userID = userID
        self.patience = patience
        sessionID = environment["XDG_SESSION_ID"].flatMap { $0.isEmpty ? nil : $0 }
        reactor = sessionBus.reactor
    }

    /// Asks everybody, and listens.
    ///
    /// One that does not answer in time counts as one that says nothing, until it does.
    public func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus {
        self.listener = listener
        question {
            for locker in Desktops.lockers { await $0.watch(locker) }
        }
        question { await $0.watchLogind() }
        let end = reactor.deadline(after: patience) { [weak self] in
            self?.assumeIsolated { $0.settle() }
        }
        await answers.pass().value()
        end.cancel()
        return told
    }

    /// Notes what a source says by itself, and tells where that makes a difference.
    func note(_ isLocked: Bool?, by source: BusName) {
        state.note(isLocked, by: source.rawValue)
        tell()
    }

    private func tell() {
        let status = state.status
        // That somebody is being asked is no news, what comes of it may be.
        guard answers.isOpen, status != told, status.isDecided || status.isLocked != told.isLocked
        else { return }
        told = status
        listener(status)
    }

    /// The status is not decided until this work has ended.
    func question(_ work: @escaping @Sendable (isolated SessionLock) async -> Void) {
        state.questionBegan()
        Task {
            await work(self)
            questionEnded()
        }
    }

    /// The work noted every answer before; the listener hears of them now.
    private func questionEnded() {
        state.questionEnded()
        if state.openQuestions == 0 { settle() }
        tell()
    }

    private func settle() {
        guard !answers.isOpen else { return }
        told = state.status
        answers.open(())
    }

    // MARK: The screen savers

    private func watch(_ locker: Locker) async {
        do throws(BusError) {
            let question = try LockQuestion(locker)
            let changes = try await sessionBus.subscribe(question.changes) { [weak self] signal in
                guard let isActive = signal.arguments.first?.boolValue else { return }
                self?.assumeIsolated { $0.note(isActive, by: question.bus) }
            }
            let owner = try await sessionBus.watchOwner(of: question.bus) { [weak self] owner in
                self?.assumeIsolated { $0.ownerChanged(to: owner, of: question) }
            }
            subscriptions += [changes, owner]
        } catch {
            // Without a session bus there is no popup either.
            state.note(nil, by: locker.bus)
            tell()
        }
    }

    private func ownerChanged(to owner: BusName?, of question: LockQuestion) {
        owners[question.bus] = owner
        guard let owner else { return note(nil, by: question.bus) }
        state.questionBegan()
        sessionBus.call(question.call, timeout: Self.answerLimit) { [weak self] result in
            self?.assumeIsolated { lock in
                defer { lock.questionEnded() }
                guard lock.owners[question.bus] == owner else { return }
                let isActive = try? result.get().arguments.first?.boolValue
                lock.state.note(isActive, by: question.bus.rawValue)
            }
        }
    }
}

/// How a locker is asked whether it is active, and how it tells.
struct LockQuestion: Sendable {
    let bus: BusName
    let call: MethodCall
    /// From any path: KDE's has two for one object.
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
