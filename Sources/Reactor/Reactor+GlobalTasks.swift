internal import CLinux

extension Reactor {
    private static let global = Locked<Reactor?>(nil)

    /// Runs on this reactor, from now on, every task of the process that has no executor of its
    /// own, in place of libdispatch's pool of threads; to be called before there are any.
    ///
    /// For a program that sleeps for days: once the pool has run anything it wakes up every second,
    /// to see whether it needs more threads, for as long as the program lives. A job must not wait
    /// for another one while it has the thread; tasks do not.
    public func takeGlobalTasks() {
        Self.global.withLock { $0 = self }
        clinux_take_global_jobs { job in
            nonisolated(unsafe) let job = job
            Reactor.global.withLock(\.self)?.perform { clinux_run_global_job(job) }
        }
    }
}
