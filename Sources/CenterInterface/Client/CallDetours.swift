internal import Reactor

/// Keeps calls in their order although some calls must be made again.
///
/// A call must be made again if its notification centre has ended or serves another bus. Until the
/// call is sent again, it is on a detour. Two rules keep the order:
/// - No call overtakes an earlier call that is new or on a detour.
/// - No call overtakes an unanswered call over another connection, because the unanswered call may
///   still need a detour.
struct CallDetours {
    /// The connection that a call goes over.
    typealias Place = ObjectIdentifier

    /// The numbers of the unsent calls: new calls, and calls on a detour.
    ///
    /// A new call is in the list as soon as it has its number. A later call could otherwise
    /// overtake the new call before the new call's task runs.
    ///
    /// A list is fast enough for few calls. The first use of a set would cost 0.1 ms, because the
    /// runtime would look up how to hash a number.
    private var open: [UInt64] = []
    private var sent: [(number: UInt64, place: Place)] = []
    private var waiting: [UInt64: (place: Place, turn: Promise<Void>)] = [:]
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        open.append(lastNumber)
        return lastNumber
    }

    /// Whether a call can go over this connection without overtaking an earlier call.
    func mayGo(_ number: UInt64, to place: Place) -> Bool {
        if let first = open.min(), first < number { return false }
        return !sent.contains { $0.number < number && $0.place != place }
    }

    /// Returns a promise that is fulfilled when the call may go over this connection.
    ///
    /// The result is nil if the call may go now.
    mutating func promiseOfTurn(of number: UInt64, to place: Place) -> Promise<Void>? {
        guard !mayGo(number, to: place) else { return nil }
        let promise = Promise<Void>()
        waiting[number] = (place, promise)
        return promise
    }

    mutating func callSent(_ number: UInt64, to place: Place) {
        open.removeAll { $0 == number }
        sent.append((number, place))
        resumeWaiting()
    }

    /// Records that a call has to be made again.
    mutating func callRepeated(_ number: UInt64) {
        sent.removeAll { $0.number == number }
        open.append(number)
    }

    /// Records that a call has its answer or has failed.
    ///
    /// For a call that may take days, the client invokes this method as soon as the call is sent.
    /// Later calls then do not wait for the answer to that call.
    mutating func callEnded(_ number: UInt64) {
        sent.removeAll { $0.number == number }
        open.removeAll { $0 == number }
        resumeWaiting()
    }

    private mutating func resumeWaiting() {
        guard !waiting.isEmpty else { return }
        for number in waiting.keys.sorted() {
            guard let call = waiting[number], mayGo(number, to: call.place) else { continue }
            waiting[number] = nil
            call.turn.fulfill(())
        }
    }
}
