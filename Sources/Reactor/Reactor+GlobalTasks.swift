internal import CLinux

extension Reactor {
    private static let global = Locked<Reactor?>(nil)

    /// Makes this reactor run every task that has no executor, in place of libdispatch's pool.
    ///
    /// Call this method before the first such task is made.
    ///
    /// The method suits programs that sleep for days. Once libdispatch's pool has run a task, the
    /// pool wakes up every second until the program ends, to see whether it needs more threads. A
    /// job must not block the reactor's thread while it waits for another job; Swift's tasks
    /// suspend instead.
    public func takeGlobalTasks() {
        Self.global.withLock { $0 = self }
        clinux_take_global_jobs { job in
            nonisolated(unsafe) let job = job
            Reactor.global.withLock(\.self)?.perform { clinux_run_global_job(job) }
        }
    }
}
