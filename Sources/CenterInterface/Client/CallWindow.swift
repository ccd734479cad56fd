internal import Reactor

/// How many calls of this side may wait for the daemon at a time, and how many files they may bring;
/// the others wait here, in order.
///
/// The daemon refuses more than it can hold, and a refusal would reach an app that merely adds ten
/// thousand requests at once. Each file is one of the few descriptors of a process.
struct CallWindow {
    /// Well below what the daemon takes of all its clients together.
    static let limit = 512
    /// What a daemon with no more than 64 descriptors still takes; one call may bring more.
    static let fileLimit = 4

    private var calls = 0
    private var files = 0
    private var waiting: [(files: Int, place: Promise<Void>)?] = []
    private var next = 0
    /// The calls that were let in and whose tasks do not run yet: no later call passes them.
    private var entering = 0

    /// Takes a place if there is one and nobody waits for it; otherwise the promise of one, which
    /// `entered` follows.
    mutating func enter(files count: Int) -> Promise<Void>? {
        if next == waiting.count, entering == 0, take(files: count) { return nil }
        let promise = Promise<Void>()
        waiting.append((count, promise))
        return promise
    }

    /// A call that waited goes on.
    mutating func entered() {
        entering -= 1
    }

    /// Gives a place up, for those who wait longest.
    mutating func leave(files count: Int) {
        calls -= 1
        files -= count
        while next < waiting.count, let waiter = waiting[next], take(files: waiter.files) {
            entering += 1
            waiter.place.give(())
            waiting[next] = nil
            next += 1
        }
        guard next == waiting.count else { return }
        waiting = []
        next = 0
    }

    private mutating func take(files count: Int) -> Bool {
        guard calls < Self.limit, count == 0 || files == 0 || files + count <= Self.fileLimit else {
            return false
        }
        calls += 1
        files += count
        return true
    }
}
