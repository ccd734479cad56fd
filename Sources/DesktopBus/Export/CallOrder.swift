internal import Reactor

/// Lets the calls of each sender begin in the order in which they came.
///
/// The decisions about several calls run side by side, and some end sooner than others. A permitted
/// call waits until all earlier ones of its sender have begun or were refused. Resuming several
/// tasks at once would keep no order, so each call lets in only the next one.
///
/// It is part of the state of a `BusConnection`, which alone calls it.
struct CallOrder {
    /// The calls of each sender that have not begun, in the order in which they came.
    private var lines: [BusName: [UInt64]] = [:]
    /// The permitted calls that wait for their turn, each with the promise of its turn.
    private var waiting: [UInt64: Promise<Void>] = [:]

    /// A call has arrived.
    mutating func callArrived(_ number: UInt64, of sender: BusName) {
        lines[sender, default: []].append(number)
    }

    /// The promise of a call's turn; nil if no earlier call of the sender waits.
    mutating func turn(of number: UInt64, from sender: BusName) -> Promise<Void>? {
        guard lines[sender]?.first != number else { return nil }
        let promise = Promise<Void>()
        waiting[number] = promise
        return promise
    }

    /// A call begins, or was refused: the next one may begin.
    mutating func callStarted(_ number: UInt64, of sender: BusName) {
        guard let index = lines[sender]?.firstIndex(of: number) else { return }
        lines[sender]?.remove(at: index)
        guard let next = lines[sender]?.first else {
            lines[sender] = nil
            return
        }
        waiting.removeValue(forKey: next)?.fulfill(())
    }
}
