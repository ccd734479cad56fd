/// A value that tasks wait for, and that any thread gives once.
///
///     let promise = Promise<Int>()
///     queue.submit { promise.fulfill($0) }
///     return await promise.value()
///
/// It replaces a continuation. Swift 6.3 resumes a continuation's task on a thread of the global
/// pool, and the task then returns to its actor. Before the task has returned, other tasks may
/// overtake it. With a promise, the thread that gives the value hands the waiting tasks to their
/// executors in order.
///
/// A promise is an actor that is its own executor: while it has no value, the waiting tasks are its
/// queued jobs. If the promise never gets a value, its tasks never resume.
package actor Promise<Value: Sendable>: SerialExecutor {
    private struct State {
        var value: Value?
        var waiting: [UnownedJob] = []
    }

    private let state = Locked(State())

    package init() {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        asUnownedSerialExecutor()
    }

    /// Queues a task; if the promise has its value, the task runs at once.
    package nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isGiven = state.withLock { state in
            if state.value == nil { state.waiting.append(job) }
            return state.value != nil
        }
        if isGiven { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Waits for the value.
    package func value() -> Value {
        guard let value = state.withLock({ $0.value }) else {
            preconditionFailure("a task runs on a promise that has no value yet")
        }
        return value
    }

    /// Gives the value; later values are dropped.
    package nonisolated func fulfill(_ value: Value) {
        let waiting = state.withLock { state in
            if state.value == nil { state.value = value }
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in waiting { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
