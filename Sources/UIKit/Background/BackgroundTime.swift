internal import Dispatch
internal import NotificationRuntime
internal import Reactor
internal import UserNotifications

/// Runs the background tasks of an app: their sleep delays, their deadlines and their handlers.
///
/// It owns the tasks, and the sleep delay and the expiration handler of each task. A sleep delay
/// makes logind delay sleep and shutdown.
///
/// It promises at most one call of each handler, on the main actor. The sleep delay of a task ends
/// with the task, or when the task's handler has returned. Methods without `@MainActor` may be
/// called on any thread.
///
/// It never waits for logind: a task runs without a sleep delay until logind has answered.
final class BackgroundTime: Sendable {
    typealias Handler = @MainActor @Sendable () -> Void

    private struct State {
        var tasks = BackgroundTasks()
        var handlers: [Int: Handler] = [:]
        var delays: [Int: SleepDelay] = [:]
        /// The expired tasks whose handlers have not returned yet.
        var expiring: Set<Int> = []
        var armed: BackgroundTasks.Instant?
    }

    private let state = Locked(State())
    private let desktop: AppDesktop
    private let timers: DelayedWork
    private let now: @Sendable () -> BackgroundTasks.Instant
    @MainActor var tasksEnded: @MainActor () -> Void = {}

    init(
        desktop: AppDesktop, timers: DelayedWork,
        now: @escaping @Sendable () -> BackgroundTasks.Instant
    ) {
        self.desktop = desktop
        self.timers = timers
        self.now = now
    }

    var hasTasks: Bool { state.withLock { !$0.tasks.isEmpty } }

    /// The seconds until the first deadline; the greatest number if there is no deadline.
    var remaining: Double {
        guard let left = state.withLock({ $0.tasks.remaining(now: now()) }) else {
            return .greatestFiniteMagnitude
        }
        return left / .seconds(1)
    }

    func start(_ name: String?, _ handler: Handler?) -> Int {
        let id = change { state in
            let id = state.tasks.start(now: now())
            state.handlers[id] = handler
            return id
        }
        Task { [desktop] in
            let delay = await desktop.delaySleep(reason: name ?? "Background task")
            // If the task ended before logind answered, nothing retains the delay, so the delay
            // ends here.
            self.state.withLock {
                if $0.tasks.contains(id) || $0.expiring.contains(id) { $0.delays[id] = delay }
            }
        }
        return id
    }

    func finish(_ id: Int) {
        let wasLast = change { state in
            state.handlers[id] = nil
            state.delays[id] = nil
            return state.tasks.finish(id) && state.tasks.isEmpty
        }
        guard wasLast else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                // Another task may have begun before this block runs.
                if !self.hasTasks { self.tasksEnded() }
            }
        }
    }

    func enterBackground() { change { $0.tasks.enterBackground(now: now()) } }

    func enterForeground() { change { $0.tasks.enterForeground() } }

    func limit() { change { $0.tasks.limit(now: now()) } }

    @MainActor func expireDue() {
        expire { $0.removeExpired(now: now()) }
    }

    /// Ends all tasks before a sleep or shutdown of the machine.
    @MainActor func expireAll() {
        expire { $0.removeAll() }
    }

    @MainActor private func expire(_ remove: (inout BackgroundTasks) -> [Int]) {
        let expired = change { state in
            state.armed = nil
            let ids = remove(&state.tasks)
            state.expiring.formUnion(ids)
            return ids.map { ($0, state.handlers.removeValue(forKey: $0)) }
        }
        for (id, handler) in expired {
            handler?()
            change { state in
                state.expiring.remove(id)
                state.delays[id] = nil
            }
        }
        if !expired.isEmpty, !hasTasks { tasksEnded() }
    }

    /// Changes the state, and starts a timer for the first deadline if no timer fires by then.
    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, wait) = state.withLock { state in
            let result = body(&state)
            guard let next = state.tasks.nextDeadline, state.armed.map({ next < $0 }) ?? true
            else { return (result, Duration?.none) }
            state.armed = next
            return (result, max(.zero, next - now()))
        }
        guard let wait else { return result }
        // The timers drop the fraction of a second, so round the wait up. Otherwise a timer would
        // fire before the deadline and start another timer.
        timers.schedule(wait.roundedUpToSeconds) { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.expireDue() } }
        }
        return result
    }
}

extension Duration {
    fileprivate var roundedUpToSeconds: Duration {
        let (seconds, rest) = components
        return .seconds(rest > 0 ? seconds + 1 : seconds)
    }
}
