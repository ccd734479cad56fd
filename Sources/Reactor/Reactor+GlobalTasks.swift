internal import CLinux

extension Reactor {
    private static let global = Locked<Reactor?>(nil)

    /// Runs every task of the process that has no executor on this reactor, not on libdispatch's
    /// pool.
    ///
    /// Call it before there are such tasks.
    ///
    /// It serves programs that sleep for days. Once used, the pool wakes up every second until the
    /// program ends, to see whether it needs more threads. A job must not wait for another one
    /// while it has the thread; tasks do not.
    public func takeGlobalTasks() {
        Self.global.withLock { $0 = self }
        clinux_take_global_jobs { job in
            nonisolated(unsafe) let job = job
            Reactor.global.withLock(\.self)?.perform { clinux_run_global_job(job) }
        }
    }
}
