internal import Reactor

/// Lets the calls of each sender begin in the order in which they came.
///
/// Whether a call may be made is found out for several calls side by side, and for some of them
/// sooner than for others. A call that may be made is held up until all earlier ones of its sender
/// have begun or were refused. Resuming several tasks at once would keep no order: each call lets in
/// only the next one.
///
/// It is part of the state of a `BusConnection`, which alone calls it.
struct CallOrder {
    /// The calls of each sender that have not begun, in the order in which they came.
    private var lines: [BusName: [UInt64]] = [:]
    /// The calls among them that may begin when it is their turn.
    private var waiting: [UInt64: Promise<Void>] = [:]

    /// A call has come.
    mutating func arrive(_ number: UInt64, of sender: BusName) {
        lines[sender, default: []].append(number)
    }

    /// The promise of a call's turn; nil where no earlier call of the sender is held up.
    mutating func turn(of number: UInt64, from sender: BusName) -> Promise<Void>? {
        guard lines[sender]?.first != number else { return nil }
        let promise = Promise<Void>()
        waiting[number] = promise
        return promise
    }

    /// A call begins, or was refused: the next one may begin.
    mutating func leave(_ number: UInt64, of sender: BusName) {
        guard let index = lines[sender]?.firstIndex(of: number) else { return }
        lines[sender]?.remove(at: index)
        guard let next = lines[sender]?.first else {
            lines[sender] = nil
            return
        }
        waiting.removeValue(forKey: next)?.give(())
    }
}
