internal import NotificationModel

/// The posts of one app: those that wait, in order, and those that wait for an answer.
struct PostLane {
    /// One post and its place in the order.
    struct Entry {
        var sequence: UInt64
        var presentation: Presentation
    }

    /// The most posts that wait for answers: a server that has stopped reading is not flooded.
    static let window = 256

    /// Why the lane stands still, nil while it does not.
    var refusal: PostQueue.Refusal?
    /// How often the server has refused since it last took one.
    var refusals = 0
    private var waiting: [Entry] = []
    /// Where `waiting` begins: taking the first of very many must not move the others.
    private var start = 0
    private var inFlight: [NotificationKey: UInt64] = [:]

    /// Whether nothing is left to do.
    var isIdle: Bool { refusal == nil && inFlight.isEmpty && start == waiting.count }

    /// What waits, in order.
    var unsent: ArraySlice<Entry> { waiting[start...] }

    func isInFlight(_ key: NotificationKey) -> Bool { inFlight[key] != nil }

    mutating func append(_ presentation: Presentation, sequence: UInt64) {
        waiting.append(Entry(sequence: sequence, presentation: presentation))
    }

    /// The next to send, if it may go now.
    mutating func next(isCareful: Bool) -> Presentation? {
        guard refusal == nil, start < waiting.count, isCareful ? inFlight.isEmpty : hasRoom else {
            return nil
        }
        let entry = waiting[start]
        let key = entry.presentation.notification.key
        guard inFlight[key] == nil else { return nil }
        inFlight[key] = entry.sequence
        start += 1
        if start * 2 > waiting.count {
            waiting.removeFirst(start)
            start = 0
        }
        return entry.presentation
    }

    /// The post was answered.
    mutating func land(_ presentation: Presentation) {
        inFlight[presentation.notification.key] = nil
    }

    /// The post was answered by "later": it goes back to its place.
    mutating func putBack(_ presentation: Presentation) {
        guard let sequence = inFlight.removeValue(forKey: presentation.notification.key) else {
            return
        }
        let entry = Entry(sequence: sequence, presentation: presentation)
        let place = unsent.firstIndex { $0.sequence > sequence } ?? waiting.count
        if place == start, start > 0 {
            start -= 1
            waiting[start] = entry
        } else {
            waiting.insert(entry, at: place)
        }
    }

    /// Takes out what waits and is meant.
    mutating func remove(where isMeant: (Presentation) -> Bool) -> [Presentation] {
        let removed = unsent.map(\.presentation).filter(isMeant)
        guard !removed.isEmpty else { return [] }
        waiting = unsent.filter { !isMeant($0.presentation) }
        start = 0
        return removed
    }

    private var hasRoom: Bool { inFlight.count < Self.window }
}
