public import NotificationModel
internal import NotificationStore
internal import Reactor

/// The calls that wait until an app is idle; pure.
///
/// Equal calls form a group: one check of the store answers all of them. When work of an app ends,
/// each group of the app is checked again.
struct IdleWaiters {
    struct Question: Hashable {
        var app: ApplicationID
        var includesPopups: Bool
    }

    typealias Answer = Result<Void, NotificationError>

    private struct Group {
        var waiters: [UInt64: Promise<Answer>] = [:]
        var isChecking = false
        /// Whether work ended, or a call came, since the running check began.
        var isStale = false
    }

    private var groups: [Question: Group] = [:]

    /// Adds a call; returns whether the store has to be checked for its group.
    mutating func add(_ number: UInt64, _ question: Question, _ answer: Promise<Answer>) -> Bool {
        groups[question, default: Group()].waiters[number] = answer
        return beginCheck(question)
    }

    /// Begins a check of each group of these apps; returns the groups' questions.
    ///
    /// `apps` has the apps whose work has ended; nil if the work of any app may have ended.
    mutating func questionsToAsk(of apps: Set<ApplicationID>?) -> [Question] {
        groups.keys.filter { apps?.contains($0.app) ?? true }.filter { beginCheck($0) }
    }

    private mutating func beginCheck(_ question: Question) -> Bool {
        guard groups[question]?.isChecking == false else {
            groups[question]?.isStale = true
            return false
        }
        groups[question]?.isChecking = true
        return true
    }

    /// Takes the result of a check; returns whether the store has to be checked again.
    ///
    /// `answer` is nil if the app is not idle.
    mutating func lookEnded(_ question: Question, _ answer: Answer?) -> Bool {
        guard let group = groups.removeValue(forKey: question), !group.waiters.isEmpty else {
            return false
        }
        // A stale group needs a new check: this check may have read the store before the work ended
        // or the call came.
        if let answer, !group.isStale {
            for waiter in group.waiters.sorted(by: { $0.key < $1.key }) {
                waiter.value.fulfill(answer)
            }
            return false
        }
        groups[question] = Group(waiters: group.waiters, isChecking: group.isStale)
        return group.isStale
    }

    mutating func remove(_ number: UInt64, _ question: Question, _ answer: Answer) {
        let waiter = groups[question]?.waiters.removeValue(forKey: number)
        if groups[question]?.waiters.isEmpty == true, groups[question]?.isChecking == false {
            groups[question] = nil
        }
        waiter?.fulfill(answer)
    }

    var count: Int { groups.values.reduce(0) { $0 + $1.waiters.count } }
}

extension CenterEngine {
    /// Returns when no request of the app is pending or on its way.
    ///
    /// With `includingPopups`, the call also waits while a popup of the app can get a response, or
    /// a response is not acknowledged. Popups from an earlier run of an embedded centre do not
    /// count.
    ///
    /// - Throws: `noDaemon` if the task is cancelled. `noSpace` or `storeUnavailable` if the store
    ///   fails.
    public func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        await waitForTurn(app)
        let number = state.nextNumber()
        let question = IdleWaiters.Question(app: app, includesPopups: includingPopups)
        let answer = Promise<IdleWaiters.Answer>()
        if idleWaiters.add(number, question, answer) { checkIdle(question) }
        let result = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            onReactor { $0.idleWaiters.remove(number, question, Self.waitCancelled) }
        }
        try result.get()
    }

    private static let waitCancelled = IdleWaiters.Answer.failure(
        NotificationError(
            .noDaemon,
            "The wait for an idle app ended, because its caller was cancelled, left the bus, or "
                + "began too many other waits. Wait again."))

    private func checkIdle(_ question: IdleWaiters.Question) {
        Task {
            var answer: IdleWaiters.Answer?
            repeat {
                do throws(NotificationError) {
                    let isIdle = try await store.isIdle(
                        question.app, includingPopups: question.includesPopups,
                        after: lastRowOfEarlierRun)
                    // An app whose user types a reply is not idle.
                    let isTyping = textKeys.values.contains { $0.app == question.app }
                    answer = isIdle && !isTyping ? .success(()) : nil
                } catch {
                    answer = .failure(error)
                }
            } while idleWaiters.lookEnded(question, answer)
        }
    }

    /// Shows all due requests before the host program ends; returns the number of requests that
    /// stay pending.
    ///
    /// It disconnects all sessions first, so no delegate is asked.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func finish() async throws(NotificationError) -> Int {
        for session in state.sessions.keys { await disconnect(session) }
        // Wait for all earlier commits, because their reports update `state.head`.
        _ = try await store.counts()
        // `status` starts and identifies the server, so that due requests can be shown. If no
        // request is due, the server need not start.
        if state.head.isDue(at: clock.now()) { _ = await presenter.status() }
        await untilAtRest()
        return try await store.counts().0
    }

    /// Checks again whether these apps are idle, if calls wait for them; nil means all apps.
    func notifyIdleWaiters(of apps: Set<ApplicationID>? = nil) {
        for question in idleWaiters.questionsToAsk(of: apps) { checkIdle(question) }
    }
}

// `finish` and the tests wait here until all work has ended.
extension CenterEngine {
    /// Returns when nothing is under way, and nothing starts before the next alarm or call.
    package func untilAtRest() async {
        repeat {
            while !isAtRest {
                flushMarks()
                await restGate.valuePromise().value()
            }
            // The reports of all earlier commits reach the engine before `untilCommitted` returns.
            try? await store.untilCommitted()
            // This task may continue while earlier events still wait for the actor. The yield lets
            // the engine handle these events first.
            await Task.yield()
        } while !isAtRest
    }

    /// Tells the `watchQuiet` listener whether the engine is quiet: true if nothing needs it.
    func reportQuiet() {
        quietWatch?(
            state.sessions.isEmpty && watchers.isEmpty && state.deliveries.isEmpty
                && state.asking.isEmpty && dialogs.isEmpty && state.launches.waiting.isEmpty
                && state.lock.deferred.isEmpty && state.head == ScheduleHead()
                && (configuration.location == nil || state.geofences.isEmpty))
    }

    var isAtRest: Bool {
        guard state.isIdle, !effects.isRunning, changeCount == 0, !popupEvents.isRunning else {
            return false
        }
        let now = clock.now()
        let mayClaim = state.isPresenterAvailable && !state.isStalled && state.retryAt == nil
        return !(mayClaim && state.isClaimable(now: now)) && lastAlarms == state.alarms(now: now)
    }
}
