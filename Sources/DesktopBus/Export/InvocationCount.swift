/// How many calls of others are in work, of all and of each caller: one that floods us takes
/// places from itself alone.
struct InvocationCount {
    private var total = 0
    private var bySender: [BusName: Int] = [:]

    /// Takes a place, unless there is none; then says why.
    mutating func begin(_ sender: BusName, within options: BusConnectionOptions) -> String? {
        let own = bySender[sender] ?? 0
        guard own < options.maximumInvocationsOfSender else {
            return "\(own) calls of yours are in work here. Wait for some of their answers."
        }
        guard total < options.maximumInvocations else {
            return "\(total) calls are in work here. Try again later."
        }
        total += 1
        bySender[sender] = own + 1
        return nil
    }

    /// Gives the place back.
    mutating func end(_ sender: BusName) {
        total -= 1
        let rest = (bySender[sender] ?? 1) - 1
        bySender[sender] = rest > 0 ? rest : nil
    }
}
