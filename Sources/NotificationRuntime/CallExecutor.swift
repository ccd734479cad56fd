internal import Dispatch
internal import Reactor

/// Opens an app's service and starts its calls one job at a time, on a thread outside Swift's pool.
///
/// A call therefore starts while the app keeps every thread of the pool busy, and while the program
/// ends on one of them. While the service is open that is the thread of its reactor, which then
/// makes the call without waking another one.
public final class CallExecutor: TaskExecutor {
    // A serial queue has a thread of its own, whatever libdispatch's other queues do.
    private let queue = DispatchQueue(label: "UserNotifications.calls")
    private let reactor = Locked<Reactor?>(nil)

    /// Starts calls on the reactor of an open service; nil where none is open.
    func start(on reactor: Reactor?) {
        self.reactor.withLock { $0 = reactor }
    }

    /// Takes a job of a task that prefers this executor.
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
