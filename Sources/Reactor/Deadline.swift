/// A moment of CLOCK_MONOTONIC at which a handler runs once, on the reactor's thread.
///
/// The reactor keeps it until it has fired or is cancelled; releasing it changes nothing.
public final class Deadline {
    let due: Int64
    let sequence: UInt64
    var handler: (() -> Void)?
    var index = -1
    private unowned let reactor: Reactor

    init(reactor: Reactor, due: Int64, sequence: UInt64, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.due = due
        self.sequence = sequence
        self.handler = handler
    }

    /// Ends the deadline unfired; harmless when it has fired, and on the reactor's thread only.
    public func cancel() {
        guard handler != nil else { return }
        reactor.cancel(self)
    }

    /// Equal moments run in the order in which they were set.
    static func < (left: Deadline, right: Deadline) -> Bool {
        (left.due, left.sequence) < (right.due, right.sequence)
    }
}
