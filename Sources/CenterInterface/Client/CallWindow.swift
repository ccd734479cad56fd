internal import Reactor

/// Limits how many calls of this client may be unanswered, and how many files they may carry.
///
/// Further calls wait here, in order. Without a limit, the daemon would refuse calls of an app that
/// adds ten thousand requests at once. Files have a lower limit, because each file takes one of the
/// few descriptors of a process.
struct CallWindow {
    /// How many calls may be unanswered: far fewer than the daemon accepts from all its clients
    /// together.
    static let limit = 512
    /// How many files the unanswered calls may carry together.
    ///
    /// A daemon with only 64 descriptors accepts this many files. While no other call carries
    /// files, one call may carry more.
    static let fileLimit = 4

    private var calls = 0
    private var files = 0
    private var waiting: [(files: Int, turn: Promise<Void>)?] = []
    private var next = 0
    /// The number of admitted calls whose tasks do not run yet; no later call overtakes them.
    private var entering = 0

    /// Counts a call if the limits allow it and no call waits; otherwise returns a promise.
    ///
    /// The promise is fulfilled when the call is counted; the caller then calls `waiterResumed`.
    mutating func acquire(files count: Int) -> Promise<Void>? {
        if next == waiting.count, entering == 0, reserve(files: count) { return nil }
        let promise = Promise<Void>()
        waiting.append((count, promise))
        return promise
    }

    mutating func waiterResumed() {
        entering -= 1
    }

    mutating func release(files count: Int) {
        calls -= 1
        files -= count
        while next < waiting.count, let waiter = waiting[next], reserve(files: waiter.files) {
            entering += 1
            waiter.turn.fulfill(())
            waiting[next] = nil
            next += 1
        }
        guard next == waiting.count else { return }
        waiting = []
        next = 0
    }

    private mutating func reserve(files count: Int) -> Bool {
        guard calls < Self.limit, count == 0 || files == 0 || files + count <= Self.fileLimit else {
            return false
        }
        calls += 1
        files += count
        return true
    }
}
