internal import Reactor

/// Keeps the order of calls of which some have to be made again.
///
/// A call that met a notification centre which has ended or serves another bus is on a detour until
/// it is made again: no later call of this program may pass it. Nor may one pass a call that has no
/// answer from a former place yet, because that one may turn out to need a detour. It is part of the
/// state of a `RemoteService`, which alone calls it.
struct CallDetours {
    /// A connection over which calls go.
    typealias Place = ObjectIdentifier

    /// The calls that have to go, by their numbers: new ones, and those on a detour.
    ///
    /// A new call counts from its number on: when its turn comes its task is resumed, and until that
    /// task runs a later call would find the way free. Lists, because there are few of them, and the
    /// runtime takes 0.1 ms to look up how a number is hashed.
    private var open: [UInt64] = []
    /// Where the calls went that have no answer.
    private var sent: [(number: UInt64, place: Place)] = []
    private var waiting: [UInt64: (place: Place, turn: Promise<Void>)] = [:]
    private var lastNumber: UInt64 = 0

    /// The number of a new call.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        open.append(lastNumber)
        return lastNumber
    }

    /// Whether a call to this place passes no earlier one.
    func mayGo(_ number: UInt64, to place: Place) -> Bool {
        if let first = open.min(), first < number { return false }
        return !sent.contains { $0.number < number && $0.place != place }
    }

    /// The promise that a call may go to this place; nil where it may go now.
    mutating func turn(of number: UInt64, to place: Place) -> Promise<Void>? {
        guard !mayGo(number, to: place) else { return nil }
        let promise = Promise<Void>()
        waiting[number] = (place, promise)
        return promise
    }

    /// A call goes out now; those behind it follow, in their order.
    mutating func go(_ number: UInt64, to place: Place) {
        open.removeAll { $0 == number }
        sent.append((number, place))
        resumeWaiting()
    }

    /// A call has to be made again.
    mutating func begin(_ number: UInt64) {
        sent.removeAll { $0.number == number }
        open.append(number)
    }

    /// A call has its answer, or nobody waits for one in order.
    mutating func end(_ number: UInt64) {
        sent.removeAll { $0.number == number }
        open.removeAll { $0 == number }
        resumeWaiting()
    }

    private mutating func resumeWaiting() {
        guard !waiting.isEmpty else { return }
        for number in waiting.keys.sorted() {
            guard let call = waiting[number], mayGo(number, to: call.place) else { continue }
            waiting[number] = nil
            call.turn.give(())
        }
    }
}
