/// Runs whole tasks on a reactor's thread: what prefers it hops to no pool between two calls.
public final class ReactorTaskExecutor: TaskExecutor {
    private let reactor: Reactor

    init(_ reactor: Reactor) {
        self.reactor = reactor
    }

    /// Takes a job of a task; jobs run in the order in which they come.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        reactor.perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Reactor {
    /// An executor for `Task(executorPreference:)` that shares the reactor's thread.
    public var taskExecutor: ReactorTaskExecutor { ReactorTaskExecutor(self) }
}
