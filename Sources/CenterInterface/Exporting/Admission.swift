internal import DesktopBus

/// Which senders may call: asked of the bus once each, the answer kept for the most recent ones.
///
/// Unique names are never given twice while a bus runs, so an answer stays true.
struct Admission {
    /// What to do for a sender's call.
    enum Step: Hashable {
        /// The answer is known, or was refused: see `isAdmitted`.
        case admitted
        /// Another call asks already; wait behind it.
        case wait
        /// Ask the bus.
        case lookUp
    }

    private var answers: [BusName: Bool] = [:]
    private var order: [BusName] = []
    private var waiting: [BusName: [CheckedContinuation<Void, Never>]] = [:]
    private let capacity = 1_024

    mutating func ask(_ sender: BusName) -> Step {
        if answers[sender] == true { return .admitted }
        if waiting[sender] != nil { return .wait }
        if answers[sender] == nil {
            waiting[sender] = []
            return .lookUp
        }
        return .wait
    }

    mutating func wait(_ sender: BusName, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[sender, default: []].append(continuation)
    }

    func isUnknown(_ sender: BusName) -> Bool { answers[sender] == nil }

    func isAdmitted(_ sender: BusName) -> Bool { answers[sender] == true }

    /// Keeps the answer; the calls that waited for it, in their order.
    mutating func answer(
        _ sender: BusName, isAdmitted: Bool
    ) -> [CheckedContinuation<Void, Never>] {
        answers[sender] = isAdmitted
        order.append(sender)
        if order.count > capacity { answers[order.removeFirst()] = nil }
        return waiting.removeValue(forKey: sender) ?? []
    }
}
