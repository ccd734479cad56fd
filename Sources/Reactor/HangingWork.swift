internal import Glibc

/// Does work that may hang, such as reading another program's file, on separate threads.
///
/// If the work takes too long, the caller gets nil at the deadline. A hanging thread ends only when
/// its system call returns or the process ends.
///
/// Each owner (the app that the work is for) may use only a few of the threads. While one thread of
/// an owner hangs, that owner's further work fails at once.
package final class HangingWork: Sendable {
    /// How many threads work at a time, including those that hang.
    private static let limit = 64
    /// How many threads work for one owner at a time.
    private static let ownerLimit = 4

    private struct Job: Sendable {
        var number: UInt64
        var owner: String
        var run: @Sendable () -> Void
        /// Whether the job has passed its deadline.
        var isHanging = false
    }

    private struct State: Sendable {
        var running: [UInt64: Job] = [:]
        var waiting: [Job] = []
        var lastNumber: UInt64 = 0
        /// Whether work runs on a thread of Swift's pool, because no separate thread could start.
        var isWithoutThread = false

        func isHanging(_ owner: String) -> Bool {
            running.values.contains { $0.owner == owner && $0.isHanging }
        }

        mutating func next() -> Job? {
            guard running.count < HangingWork.limit else { return nil }
            let counts = Dictionary(running.values.map { ($0.owner, 1) }, uniquingKeysWith: +)
            let index = waiting.firstIndex {
                counts[$0.owner, default: 0] < HangingWork.ownerLimit
            }
            guard let index else { return nil }
            let next = waiting.remove(at: index)
            running[next.number] = next
            return next
        }
    }

    /// Runs a body on a new thread; returns false if no thread can start.
    package typealias StartThread = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    private let reactor: Reactor
    private let startThread: StartThread
    private let state = Locked(State())

    /// Makes an object that starts threads on demand, and sets deadlines on the reactor.
    package convenience init(reactor: Reactor) {
        self.init(reactor: reactor) { ReactorThread.starts(name: "files", body: $0) }
    }

    package init(reactor: Reactor, startThread: @escaping StartThread) {
        self.reactor = reactor
        self.startThread = startThread
    }

    /// Does `work` on another thread, and returns its result.
    ///
    /// - The result is nil if `work` takes longer than `limit`, or other work of the owner hangs.
    /// - If `work` ends after `limit`, `late` gets its value, on the other thread.
    /// - If `work` still waits for a thread after `limit`, it never begins.
    package func result<Value: Sendable>(
        for owner: String, within limit: Duration,
        _ work: @escaping @Sendable () -> Value,
        late: @escaping @Sendable (Value) -> Void = { _ in }
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let wait = Wait(continuation)
            let number = submit(owner) { [reactor] in
                let value = work()
                guard let waiter = wait.takeWaiter() else { return late(value) }
                reactor.perform {
                    wait.deadline?.cancel()
                    waiter.resume(returning: value)
                }
            }
            guard let number else {
                wait.takeWaiter()?.resume(returning: nil)
                return
            }
            reactor.perform { [self, reactor] in
                guard wait.isOpen else { return }
                wait.deadline = reactor.deadline(after: limit) { [self] in
                    guard let waiter = wait.takeWaiter() else { return }
                    giveUp(number)
                    waiter.resume(returning: nil)
                }
            }
        }
    }

    /// Unchecked: only the reactor's thread uses the deadline.
    private final class Wait<Value: Sendable>: @unchecked Sendable {
        private let waiter: Locked<CheckedContinuation<Value?, Never>?>
        var deadline: Deadline?

        init(_ continuation: CheckedContinuation<Value?, Never>) {
            waiter = Locked(continuation)
        }

        var isOpen: Bool { waiter.withLock { $0 != nil } }

        func takeWaiter() -> CheckedContinuation<Value?, Never>? {
            waiter.withLock { waiter in
                defer { waiter = nil }
                return waiter
            }
        }
    }

    /// Adds a job and returns its number; returns nil if work of this owner already hangs.
    private func submit(_ owner: String, _ run: @escaping @Sendable () -> Void) -> UInt64? {
        let number = state.withLock { state -> UInt64? in
            guard !state.isHanging(owner) else { return nil }
            state.lastNumber += 1
            state.waiting.append(Job(number: state.lastNumber, owner: owner, run: run))
            return state.lastNumber
        }
        startNext()
        return number
    }

    private func startNext() {
        guard let next = state.withLock({ $0.next() }) else { return }
        let isStarted = startThread { [self] in runJobs(from: next) }
        if !isStarted { workWithoutThread(from: next) }
    }

    private func runJobs(from first: Job) {
        var current: Job? = first
        while let job = current {
            // The thread may have begun only after the job's deadline.
            if state.withLock({ $0.running[job.number]?.isHanging == false }) { job.run() }
            current = state.withLock { state in
                state.running[job.number] = nil
                return state.next()
            }
        }
    }

    /// Does the work on an existing thread, for a process that can start no more threads.
    ///
    /// Only one such job runs at a time, because the job occupies a thread of Swift's pool, which
    /// tasks need.
    private func workWithoutThread(from next: Job) {
        let isFree = state.withLock { state in
            guard !state.isWithoutThread else {
                // The job may have passed its deadline since it was taken from the waiting jobs.
                if let job = state.running.removeValue(forKey: next.number), !job.isHanging {
                    state.waiting.insert(job, at: 0)
                }
                return false
            }
            state.isWithoutThread = true
            return true
        }
        guard isFree else { return }
        Task.detached { [self] in
            runJobs(from: next)
            state.withLock { $0.isWithoutThread = false }
            startNext()
        }
    }

    private func giveUp(_ number: UInt64) {
        state.withLock { state in
            state.waiting.removeAll { $0.number == number }
            state.running[number]?.isHanging = true
        }
    }
}
