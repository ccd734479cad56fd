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
    /// task runs a later call would find the way free.
    private var open: Set<UInt64> = []
    /// Where the calls went that have no answer.
    private var sent: [UInt64: Place] = [:]
    private var waiting: [UInt64: (place: Place, turn: Promise<Void>)] = [:]
    private var lastNumber: UInt64 = 0

    /// The number of a new call.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        open.insert(lastNumber)
        return lastNumber
    }

    /// Whether a call to this place passes no earlier one.
    func mayGo(_ number: UInt64, to place: Place) -> Bool {
        if let first = open.min(), first < number { return false }
        return !sent.contains { $0.key < number && $0.value != place }
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
        open.remove(number)
        sent[number] = place
        resumeWaiting()
    }

    /// A call has to be made again.
    mutating func begin(_ number: UInt64) {
        sent[number] = nil
        open.insert(number)
    }

    /// A call has its answer, or nobody waits for one in order.
    mutating func end(_ number: UInt64) {
        sent[number] = nil
        open.remove(number)
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
