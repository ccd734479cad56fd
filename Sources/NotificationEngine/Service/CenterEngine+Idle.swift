public import NotificationModel
internal import NotificationStore
internal import Reactor

/// The calls that wait until an app is idle; pure.
///
/// Calls that ask the same are one group: one look at the store answers all of them. After something
/// of an app ended, each of its groups is looked at once more.
struct IdleWaiters {
    /// What is asked.
    struct Question: Hashable {
        var app: ApplicationID
        var includesPopups: Bool
    }

    typealias Answer = Result<Void, NotificationError>

    private struct Group {
        var waiters: [UInt64: Promise<Answer>] = [:]
        /// Whether the store is being looked at for it.
        var isLooking = false
        /// Whether something ended, or a call came, since that look began.
        var isStale = false
    }

    private var groups: [Question: Group] = [:]

    /// A call waits; true where the store has to be looked at for its group.
    mutating func add(
        _ number: UInt64, _ question: Question, _ answer: Promise<Answer>
    ) -> Bool {
        groups[question, default: Group()].waiters[number] = answer
        return needsLook(question)
    }

    /// Something of these apps ended, or of any; the groups for which the store has to be looked at.
    mutating func ended(of apps: Set<ApplicationID>?) -> [Question] {
        groups.keys.filter { apps?.contains($0.app) ?? true }.filter { needsLook($0) }
    }

    private mutating func needsLook(_ question: Question) -> Bool {
        guard groups[question]?.isLooking == false else {
            groups[question]?.isStale = true
            return false
        }
        groups[question]?.isLooking = true
        return true
    }

    /// A look has ended with an answer, or with nil while the app is not idle; true where the store
    /// has to be looked at once more.
    mutating func looked(_ question: Question, _ answer: Answer?) -> Bool {
        guard let group = groups[question] else { return false }
        // A call that came meanwhile may have added what the look did not see.
        if group.isStale, !group.waiters.isEmpty {
            groups[question]?.isStale = false
            return true
        }
        guard let answer, !group.waiters.isEmpty else {
            groups[question] = group.waiters.isEmpty ? nil : Group(waiters: group.waiters)
            return false
        }
        groups[question] = nil
        for waiter in group.waiters.sorted(by: { $0.key < $1.key }) {
            waiter.value.give(answer)
        }
        return false
    }

    /// A call does not wait any more.
    mutating func remove(_ number: UInt64, _ question: Question, _ answer: Answer) {
        let waiter = groups[question]?.waiters.removeValue(forKey: number)
        if groups[question]?.waiters.isEmpty == true, groups[question]?.isLooking == false {
            groups[question] = nil
        }
        waiter?.give(answer)
    }

    /// How many calls wait.
    var count: Int { groups.values.reduce(0) { $0 + $1.waiters.count } }
}

// Waiting for the end of everything that an app has started.
extension CenterEngine {
    /// Returns when nothing of the app waits, is on its way, or was answered and not acknowledged.
    ///
    /// Throws `noDaemon` when its task is cancelled.
    public func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        await waitForTurn(app)
        let number = state.nextNumber()
        let question = IdleWaiters.Question(app: app, includesPopups: includingPopups)
        let answer = Promise<IdleWaiters.Answer>()
        if idleWaiters.add(number, question, answer) { lookWhetherIdle(question) }
        let result = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            onReactor { $0.idleWaiters.remove(number, question, Self.left) }
        }
        try result.get()
    }

    private static let left = IdleWaiters.Answer.failure(
        NotificationError(
            .noDaemon,
            "The wait for an idle app ended, because its caller was cancelled, left the bus, or "
                + "began too many other waits. Wait again."))

    private func lookWhetherIdle(_ question: IdleWaiters.Question) {
        Task {
            var answer: IdleWaiters.Answer?
            repeat {
                do throws(NotificationError) {
                    let isIdle = try await store.isIdle(
                        question.app, includingPopups: question.includesPopups)
                    // An app whose user types a reply is not idle.
                    let isTyping = textKeys.values.contains { $0.app == question.app }
                    answer = isIdle && !isTyping ? .success(()) : nil
                } catch {
                    answer = .failure(error)
                }
            } while idleWaiters.looked(question, answer)
        }
    }

    /// Shows what is due, before the program that hosts this engine ends; how many requests wait
    /// after that.
    ///
    /// No delegate is asked any more, because its program ends.
    public func finish() async throws(NotificationError) -> Int {
        for session in state.sessions.keys { await disconnect(session) }
        // A read follows the commits before it, which tell what they made due.
        _ = try await store.counts()
        // Nothing is claimed before the server has said who it is; it is not started for nothing.
        if state.head.isDue(at: clock.now()) { _ = await presenter.status() }
        await untilAtRest()
        return try await store.counts().0
    }

    /// Looks again for the calls that wait for these apps; for all calls where none is named.
    func somethingEnded(of apps: Set<ApplicationID>? = nil) {
        for question in idleWaiters.ended(of: apps) { lookWhetherIdle(question) }
    }
}

// For whoever turns the clock: the next step makes sense only when this one has done all it does.
extension CenterEngine {
    /// Returns when nothing is under way, and nothing will be before the next alarm or call.
    package func untilAtRest() async {
        repeat {
            while !isAtRest {
                flushMarks()
                let rest = Promise<Void>()
                restWaiters.append(rest)
                await rest.value()
            }
            // What a commit made due is told after its answer, and before that of the next.
            try? await store.untilCommitted()
            // An answer that comes before its caller has begun to wait is heard at once, ahead of what
            // was told before it.
            await Task.yield()
        } while !isAtRest
    }

    /// Tells whether anybody needs this engine.
    func reportQuiet() {
        quietWatch?(
            state.sessions.isEmpty && watchers.isEmpty && state.deliveries.isEmpty
                && state.asking.isEmpty && dialogs.isEmpty && state.launches.waiting.isEmpty
                && state.lock.held.isEmpty && state.head == ScheduleHead())
    }

    /// Whoever waits for rest looks again.
    func reportRest() {
        guard !restWaiters.isEmpty, isAtRest else { return }
        let waiters = restWaiters
        restWaiters = []
        for waiter in waiters { waiter.give(()) }
    }

    private var isAtRest: Bool {
        guard state.isIdle, effects.waiting.isEmpty, changeCount == 0, !isStoringEvents else {
            return false
        }
        let now = clock.now()
        let mayClaim = state.isPresenterAvailable && !state.isStalled && state.retryAt == nil
        return !(mayClaim && state.head.isDue(at: now)) && lastAlarms == state.alarms(now: now)
    }
}
