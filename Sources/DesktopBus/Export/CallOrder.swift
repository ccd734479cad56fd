internal import Reactor

/// Lets the calls of each sender begin in the order in which they came.
///
/// Approvals run concurrently, so a later call may be approved first. An approved call waits until
/// each earlier call of its sender has begun or was refused. If several tasks resumed at once,
/// their order would be undefined, so each call resumes only the next call.
struct CallOrder {
    /// The calls of each sender that have not begun, in the order in which they came.
    private var lines: [BusName: [UInt64]] = [:]
    /// The approved calls that wait, each with a promise that is fulfilled when the call may begin.
    private var waiting: [UInt64: Promise<Void>] = [:]

    mutating func callArrived(_ number: UInt64, of sender: BusName) {
        lines[sender, default: []].append(number)
    }

    /// Returns a promise that is fulfilled when a call may begin.
    ///
    /// The result is nil if every earlier call of the sender has begun or was refused.
    mutating func promiseOfTurn(of number: UInt64, from sender: BusName) -> Promise<Void>? {
        guard lines[sender]?.first != number else { return nil }
        let promise = Promise<Void>()
        waiting[number] = promise
        return promise
    }

    /// Removes a call that begins or was refused, and lets the next call begin.
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
