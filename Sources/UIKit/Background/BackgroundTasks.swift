/// The background tasks of an app and their time; pure.
///
/// In the background a task has 30 seconds. This time begins when the app enters the background, or
/// when the task starts in the background.
package struct BackgroundTasks {
    /// An instant of a clock that also counts the time in which the machine sleeps.
    package typealias Instant = ContinuousClock.Instant

    static let allowance: Duration = .seconds(30)
    /// The time that all tasks have after the process was asked to end.
    ///
    /// By default, logind delays a shutdown at most by this time.
    static let terminationAllowance: Duration = .seconds(5)

    private struct Clock {
        /// Nil while the time is unlimited.
        var deadline: Instant?
    }

    private var clocks: [Int: Clock] = [:]
    private var isInBackground = false
    private var end: Instant?
    private var lastID = 0

    package init() {}

    package var isEmpty: Bool { clocks.isEmpty }

    package var nextDeadline: Instant? { clocks.values.compactMap(\.deadline).min() }

    /// Adds a task; returns its number, counted from 1.
    package mutating func start(now: Instant) -> Int {
        lastID += 1
        clocks[lastID] = Clock(deadline: deadline(from: now))
        return lastID
    }

    package func contains(_ id: Int) -> Bool { clocks[id] != nil }

    /// Removes a task; returns whether it was running.
    package mutating func finish(_ id: Int) -> Bool {
        clocks.removeValue(forKey: id) != nil
    }

    /// Starts the clock of every task.
    package mutating func enterBackground(now: Instant) {
        isInBackground = true
        let deadline = deadline(from: now)
        for id in clocks.keys { clocks[id]?.deadline = deadline }
    }

    /// Stops the clocks; when the app enters the background again, each task has its whole time.
    ///
    /// The deadline that `limit` sets remains.
    package mutating func enterForeground() {
        isInBackground = false
        for id in clocks.keys { clocks[id]?.deadline = end }
    }

    /// Limits the time of every task, because the process was asked to end.
    package mutating func limit(now: Instant) {
        let end = now + Self.terminationAllowance
        self.end = end
        for (id, clock) in clocks { clocks[id]?.deadline = min(clock.deadline ?? end, end) }
    }

    /// Removes the tasks whose time is over; returns their numbers, the oldest first.
    package mutating func removeExpired(now: Instant) -> [Int] {
        remove { $0.map { $0 <= now } ?? false }
    }

    /// Removes every task before a sleep or shutdown of the machine; returns their numbers.
    package mutating func removeAll() -> [Int] { remove { _ in true } }

    /// The time until the first deadline; nil if the time is unlimited.
    ///
    /// If no task runs, the result is the time that a new task would have.
    package func remaining(now: Instant) -> Duration? {
        guard let next = nextDeadline ?? deadline(from: now) else { return nil }
        return max(.zero, next - now)
    }

    private func deadline(from start: Instant) -> Instant? {
        let limit = isInBackground ? start + Self.allowance : nil
        guard let end, let limit else { return limit ?? end }
        return min(limit, end)
    }

    private mutating func remove(where isOver: (Instant?) -> Bool) -> [Int] {
        let ids = clocks.filter { isOver($0.value.deadline) }.keys.sorted()
        for id in ids { clocks[id] = nil }
        return ids
    }
}
