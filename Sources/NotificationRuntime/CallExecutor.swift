internal import Dispatch
internal import Reactor

/// Runs the jobs that open an app's service and start its calls, on a thread outside Swift's pool.
///
/// A call then starts even if the app blocks every thread of the pool, or exits on one of them.
/// While the service is open, its reactor's thread runs the jobs and makes the call, so no other
/// thread has to wake.
public final class CallExecutor: TaskExecutor {
    // A serial queue has its own thread, whatever libdispatch's other queues do.
    private let queue = DispatchQueue(label: "UserNotifications.calls")
    private let reactor = Locked<Reactor?>(nil)

    /// Runs later jobs on this reactor, the one of the open service; nil if no service is open.
    func start(on reactor: Reactor?) {
        self.reactor.withLock { $0 = reactor }
    }

    /// Runs a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let run: @Sendable () -> Void = { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        if let reactor = reactor.withLock(\.self) {
            reactor.perform(run)
        } else {
            queue.async(execute: run)
        }
    }
}
