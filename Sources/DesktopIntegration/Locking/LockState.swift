internal import NotificationModel

/// What everybody who may know says of the lock; pure.
///
/// One that says "locked" is enough: lockers do not know of each other, and some set logind's hint
/// and have nothing on the session bus, or the other way round. Who goes away without a word has not
/// unlocked anything: a session that ends while it is locked loses its locker before it loses us.
struct LockState: Hashable {
    private var answers: [String: Bool] = [:]
    /// Those that went away after they had said "locked".
    private var departed: Set<String> = []
    /// How many questions are not answered yet.
    private(set) var openQuestions = 0

    /// Somebody is asked, or is looked for.
    mutating func questionBegan() {
        openQuestions += 1
    }

    /// That came to an end, with or without an answer.
    mutating func questionEnded() {
        openQuestions -= 1
    }

    /// Notes what a source says; nil for one that is not there or says nothing.
    mutating func note(_ isLocked: Bool?, by source: String) {
        let former = answers[source]
        answers[source] = isLocked
        switch (former, isLocked) {
        case (true, nil): departed.insert(source)
        // Whoever unlocks takes away what others cannot any more.
        case (true, false): departed = []
        case (_, nil): break
        default: departed.remove(source)
        }
    }

    /// All of it.
    var status: LockStatus {
        LockStatus(
            isLocked: answers.values.contains(true) || !departed.isEmpty,
            sources: departed.union(answers.keys).sorted(), isDecided: openQuestions == 0)
    }
}
