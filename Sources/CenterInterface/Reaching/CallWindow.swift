/// How many calls of this side may wait for the daemon at a time; the others wait here, in order.
///
/// The daemon refuses more than it can hold, and a refusal would reach an app that merely adds ten
/// thousand requests at once.
struct CallWindow {
    /// Well below what the daemon takes of all its clients together.
    static let limit = 512

    private var inFlight = 0
    private var waiting: [CheckedContinuation<Void, Never>?] = []
    private var next = 0

    /// Takes a place if one is free and nobody waits for it.
    mutating func enter() -> Bool {
        guard inFlight < Self.limit else { return false }
        inFlight += 1
        return true
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// Hands the place to who waits longest, or gives it up.
    mutating func leave() {
        guard next < waiting.count else {
            inFlight -= 1
            return
        }
        waiting[next]?.resume()
        waiting[next] = nil
        next += 1
        if next == waiting.count {
            waiting = []
            next = 0
        }
    }
}
