internal import Dispatch
internal import Reactor

/// Runs the jobs that open an app's service and start its calls, on a thread outside Swift's pool.
///
/// A call starts even if the app blocks all threads of the pool, or calls `exit` on one of them.
/// While the service is open, the thread of the service's reactor runs the jobs and makes the
/// calls. No other thread has to wake.
public final class CallExecutor: TaskExecutor {
    // A serial queue gets its own thread, even if all other queues of libdispatch are blocked.
    private let queue = DispatchQueue(label: "UserNotifications.calls")
    private let reactor = Locked<Reactor?>(nil)

    /// Runs later jobs on the reactor of the open service; pass nil if no service is open.
    func start(on reactor: Reactor?) {
        self.reactor.withLock { $0 = reactor }
    }

    /// Runs a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let run: @Sendable () -> Void = { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        if let reactor = reactor.withLock({ $0 }) {
            reactor.perform(run)
        } else {
            queue.async(execute: run)
        }
    }
}
