/// An instant of CLOCK_MONOTONIC at which a handler runs once, on the reactor's thread.
///
/// The reactor retains this object, so a caller that releases it does not cancel the deadline.
public final class Deadline {
    let due: Int64
    let sequence: UInt64
    var handler: (() -> Void)?
    private unowned let reactor: Reactor

    init(reactor: Reactor, due: Int64, sequence: UInt64, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.due = due
        self.sequence = sequence
        self.handler = handler
    }

    /// Cancels the deadline, if it has not fired; call it on the reactor's thread only.
    public func cancel() {
        guard handler != nil else { return }
        reactor.cancel(self)
    }

    /// Deadlines of equal instants run in the order in which they were set.
    static func < (left: Deadline, right: Deadline) -> Bool {
        (left.due, left.sequence) < (right.due, right.sequence)
    }
}

/// All deadlines of one reactor, the earliest first.
///
/// A sorted array suffices. Most new deadlines go to the end, and the list stays short because most
/// deadlines are soon cancelled.
struct DeadlineList {
    private var deadlines: [Deadline] = []

    var earliest: Deadline? { deadlines.first }

    mutating func insert(_ deadline: Deadline) {
        deadlines.insert(deadline, at: index(of: deadline))
    }

    mutating func remove(_ deadline: Deadline) {
        let place = index(of: deadline)
        guard place < deadlines.count, deadlines[place] === deadline else { return }
        deadlines.remove(at: place)
    }

    mutating func takeDue(at now: Int64) -> [Deadline] {
        let due = Array(deadlines.prefix { $0.due <= now })
        deadlines.removeFirst(due.count)
        return due
    }

    mutating func removeAll() {
        for deadline in deadlines { deadline.handler = nil }
        deadlines = []
    }

    /// The number of earlier deadlines.
    private func index(of deadline: Deadline) -> Int {
        var (low, high) = (0, deadlines.count)
        while low < high {
            let middle = (low + high) / 2
            if deadlines[middle] < deadline { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
