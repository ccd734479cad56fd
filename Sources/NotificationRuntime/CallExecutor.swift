internal import Dispatch

/// Opens an app's service and starts its calls one job at a time, on a thread outside Swift's pool.
///
/// A call therefore starts while the app keeps every thread of the pool busy, and while the program
/// ends on one of them.
public final class CallExecutor: TaskExecutor {
    // A serial queue has a thread of its own, whatever libdispatch's other queues do.
    private let queue = DispatchQueue(label: "UserNotifications.calls")

    /// Takes a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
