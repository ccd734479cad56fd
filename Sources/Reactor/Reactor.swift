import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors, deadlines and work, and does everything in order.
///
/// The reactor owns the watches, the deadlines and the thread, which runs until `stop()`.
///
/// A `ReactorActor` uses a reactor as its executor. So the actor and the reactor's handlers share
/// one thread, and the handlers enter the actor by `assumeIsolated`:
///
///     actor Player: ReactorActor {
///         nonisolated let reactor: Reactor
///     }
///
/// While the reactor is idle, it sleeps without a single wake-up. Every handler runs on the
/// reactor's thread.
///
/// The class may be `@unchecked Sendable`: `inbox`, `thread` and `isStopping` are synchronised, and
/// only the reactor's thread touches `watches`, `deadlines`, `sequence` and `pathWatches`.
public final class Reactor: SerialExecutor, @unchecked Sendable {
    private let name: String
    private let wake: Int32
    private let inbox = Locked(Inbox())
    private let thread = Atomic<UInt>(0)
    private let isStopping = Atomic<Bool>(false)
    private var watches: WatchTable
    private var deadlines = DeadlineList()
    private var sequence: UInt64 = 0
    private(set) lazy var pathWatches = PathWatchTable(reactor: self)
    /// Whether the reactor watches files; read this on the reactor's thread only.
    package var hasPathWatches: Bool { pathWatches.isOpen }

    // The most batches of work in one turn of the loop. Without this limit, work that always
    // submits more work would keep the reactor from handling its descriptors.
    private static let batchesPerTurn = 16
    /// The pause between two attempts to start a thread, in microseconds.
    private static let threadPause: UInt32 = 10_000

    /// Makes a reactor and starts its thread; Linux keeps the first 15 bytes of the thread's name.
    ///
    /// - Throws: ``ReactorError`` if the process can have no further descriptor or thread.
    public convenience init(name: String = "reactor") throws(ReactorError) {
        try self.init(hosted: name)
        guard startsThread() else {
            throw ReactorError(
                message: "The thread '\(name)' could not be started: "
                    + "\(SystemFailure(code: errno)). End other programs, or raise the limit "
                    + "of processes (ulimit -u).")
        }
    }

    /// Makes a reactor without a thread; its work waits for `run()`.
    ///
    /// `run()` lends the caller's thread to the reactor.
    ///
    /// - Throws: ``ReactorError`` if the process can have no further descriptor.
    public init(hosted name: String) throws(ReactorError) {
        self.name = name
        wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wake >= 0 else {
            throw ReactorError(
                message: "There is no descriptor for the thread '\(name)': "
                    + "\(SystemFailure(code: errno)). Close some files, or raise the limit "
                    + "(ulimit -n).")
        }
        watches = WatchTable(wake: wake)
    }

    /// Lends the caller's thread to a reactor that was made without a thread, until `stop()`.
    ///
    /// A program that works only on the reactor then needs no second thread: see
    /// `takeGlobalTasks()`.
    public func run() {
        let isFree = thread.load(ordering: .relaxed) == 0
        precondition(isFree, "\(name): has a thread already")
        runLoop()
    }

    deinit {
        close(wake)
    }

    /// Ends the thread when the submitted work is done; later calls of this method do nothing.
    ///
    /// Watches, deadlines and timers do not fire any more. If a job or other work is submitted
    /// later, a new thread runs it, so no task hangs. If no thread can start, the submitting caller
    /// blocks and tries again.
    public func stop() {
        guard !isStopping.exchange(true, ordering: .sequentiallyConsistent) else { return }
        perform {}
        if !isCurrent { _ = eventfd_write(wake, 1) }
    }

    /// Whether the caller is on the reactor's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Does `work` on the reactor's thread, in the order of the calls; any thread may call this.
    public func perform(_ work: @escaping @Sendable () -> Void) {
        submit(.closure(work))
    }

    /// Does `work` on the reactor's thread after `duration` of CLOCK_MONOTONIC.
    ///
    /// Any thread may call this.
    public func perform(after duration: Duration, _ work: @escaping @Sendable () -> Void) {
        perform { self.deadline(after: duration, handler: work) }
    }

    /// On the reactor's thread, does `work` at once; on another thread, acts as `perform`.
    func performHere(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { perform(work) }
    }

    /// Calls `handler` for the events of a descriptor until the watch is cancelled or released.
    public func watch(
        _ descriptor: Int32, for events: DescriptorEvents,
        handler: @escaping (DescriptorEvents) -> Void
    ) -> DescriptorWatch {
        preconditionOnThread()
        let entry = WatchEntry(descriptor: descriptor, events: events, handler: handler)
        watches.add(entry)
        return DescriptorWatch(reactor: self, entry: entry)
    }

    /// Calls `handler` once, after `duration` of CLOCK_MONOTONIC.
    @discardableResult
    public func deadline(after duration: Duration, handler: @escaping () -> Void) -> Deadline {
        preconditionOnThread()
        sequence += 1
        let deadline = Deadline(
            reactor: self, due: MonotonicClock.moment(after: duration), sequence: sequence,
            handler: handler)
        deadlines.insert(deadline)
        return deadline
    }

    /// Makes a timer of a clock that also counts while the computer sleeps; the timer is not armed.
    ///
    /// - Throws: ``ReactorError`` if no descriptor is free.
    public func timer(
        _ clock: TimerClock, handler: @escaping (TimerEvent) -> Void
    ) throws(ReactorError) -> ReactorTimer {
        preconditionOnThread()
        return try ReactorTimer(reactor: self, clock: clock, handler: handler)
    }
}

// MARK: - Executor

extension Reactor {
    /// Takes a job of an actor that runs on this reactor; jobs run in the order in which they come.
    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Stops the program if the caller is not on the reactor's thread.
    public func checkIsolated() {
        preconditionOnThread()
    }

    /// Whether the caller is on the reactor's thread.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// Whether `other` is this reactor; each reactor has a thread of its own.
    public func isSameExclusiveExecutionContext(other: Reactor) -> Bool {
        self === other
    }
}

// MARK: - For watches and deadlines

extension Reactor {
    func remove(_ entry: WatchEntry) {
        preconditionOnThread()
        watches.remove(entry)
    }

    func cancel(_ deadline: Deadline) {
        preconditionOnThread()
        deadline.handler = nil
        deadlines.remove(deadline)
    }

    private func preconditionOnThread() {
        precondition(isCurrent, "\(name): to be used on the reactor's thread only")
    }
}

// MARK: - The thread

extension Reactor {
    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var hasThread = true
    }

    private func submit(_ work: Work) {
        let (isFirst, needsThread) = inbox.withLock { inbox in
            inbox.work.append(work)
            let needsThread = !inbox.hasThread
            inbox.hasThread = true
            return (inbox.work.count == 1, needsThread)
        }
        if needsThread {
            while !startsThread() { usleep(Self.threadPause) }
        } else if isFirst, !isCurrent {
            _ = eventfd_write(wake, 1)
        }
    }

    private func startsThread() -> Bool {
        ReactorThread.starts(name: name) { [self] in runLoop() }
    }

    private func runLoop() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        var isIdle = false
        while true {
            if isStopping.load(ordering: .acquiring) {
                pathWatches.removeAll()
                watches.removeAll()
                deadlines.removeAll()
                if isIdle, endThread() { return }
                isIdle = runWork()
                continue
            }
            runOnce(mayWait: isIdle)
            isIdle = runWork()
        }
    }

    /// Ends the thread; if work has arrived, returns false and keeps the thread.
    private func endThread() -> Bool {
        inbox.withLock { inbox in
            guard inbox.work.isEmpty else { return false }
            inbox.hasThread = false
            thread.store(0, ordering: .relaxed)
            return true
        }
    }

    /// Handles the events that are there; if `mayWait` is true, it first waits for an event.
    private func runOnce(mayWait: Bool) {
        let (woken, ready) = watches.wait(nanoseconds: mayWait ? timeToEarliest() : 0)
        if woken {
            var count: eventfd_t = 0
            _ = eventfd_read(wake, &count)
        }
        for one in ready {
            // An earlier handler in this turn of the loop may have cancelled the watch.
            guard let handler = one.entry.handler else { continue }
            handler(DescriptorEvents(rawValue: one.events))
            // poll(2) would report the closed descriptor in every turn of the loop.
            if one.events & Int16(POLLNVAL) != 0 { watches.remove(one.entry) }
        }
        fireDeadlines()
    }

    private func timeToEarliest() -> Int64? {
        guard let earliest = deadlines.earliest else { return nil }
        return max(earliest.due - MonotonicClock.now, 0)
    }

    private func fireDeadlines() {
        guard deadlines.earliest != nil else { return }
        // A handler may cancel a later deadline; deadlines that it sets wait for the next turn of
        // the loop.
        for deadline in deadlines.takeDue(at: MonotonicClock.now) { deadline.handler.take()?() }
    }

    /// Does up to `batchesPerTurn` batches of waiting work; returns true if no work is left.
    private func runWork() -> Bool {
        for _ in 0..<Self.batchesPerTurn {
            let batch = inbox.withLock { inbox in
                let work = inbox.work
                inbox.work = []
                return work
            }
            if batch.isEmpty { return true }
            for work in batch {
                switch work {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .closure(let closure): closure()
                }
            }
        }
        return false
    }
}
