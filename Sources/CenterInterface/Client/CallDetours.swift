internal import Reactor

/// Keeps calls in their order although some have to be made again.
///
/// A call is on a detour if it has to be made again, because its notification centre has ended or
/// serves another bus. No later call of this program may overtake it. A call may not overtake an
/// unanswered call over another connection either, because that call may still need a detour. Only
/// `RemoteService` uses this type, as a part of its state.
struct CallDetours {
    /// The connection that a call goes over.
    typealias Place = ObjectIdentifier

    /// The numbers of the unsent calls: new calls, and those on a detour.
    ///
    /// A new call counts from the moment when it gets its number. Otherwise a later call could
    /// overtake it before its task runs.
    ///
    /// This is a list because there are few calls. For a set, the runtime would take 0.1 ms to look
    /// up how to hash a number.
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

    /// Returns the promise of a call's turn to go over this connection.
    ///
    /// The result is nil if the call may go now.
    mutating func promiseOfTurn(of number: UInt64, to place: Place) -> Promise<Void>? {
        guard !mayGo(number, to: place) else { return nil }
        let promise = Promise<Void>()
        waiting[number] = (place, promise)
        return promise
    }

    /// Records that a call goes out now, and lets waiting calls follow in their order.
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

    /// Records that a call has its answer, or that the order does not depend on its answer.
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
