internal import CLinux

extension Reactor {
    private static let global = Locked<Reactor?>(nil)

    /// Makes this reactor run every task that has no executor, in place of libdispatch's pool.
    ///
    /// Call it before the first such task is made.
    ///
    /// It suits programs that sleep for days. Once used, libdispatch's pool wakes up every second
    /// until the program ends, to see whether it needs more threads. A job must not block the
    /// reactor's thread while it waits for another job; Swift's tasks suspend instead.
    public func takeGlobalTasks() {
        Self.global.withLock { $0 = self }
        clinux_take_global_jobs { job in
            nonisolated(unsafe) let job = job
            Reactor.global.withLock(\.self)?.perform { clinux_run_global_job(job) }
        }
    }
}
