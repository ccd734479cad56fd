internal import NotificationModel

/// Combines the answers of all sources about the session's lock.
///
/// If one source says "locked", the session counts as locked. Lock screens (lockers) report in
/// different places: some only set logind's hint, other lock screens answer only on the session
/// bus.
///
/// If a source leaves the bus after it said "locked", the session still counts as locked. At the
/// end of a locked session, the locker may end before this process, but nobody has unlocked. The
/// user then unlocks by logging in to another session.
struct LockState: Hashable {
    private var answers: [String: Bool] = [:]
    /// The sources that left the bus after they had said "locked".
    private var departed: Set<String> = []
    private(set) var openQuestions = 0

    /// Notes the start of a question to a source, or of a search for a source.
    mutating func questionBegan() {
        openQuestions += 1
    }

    mutating func questionEnded() {
        openQuestions -= 1
    }

    /// Records the answer of a source; nil if the source is missing or silent.
    mutating func recordAnswer(_ isLocked: Bool?, by source: String) {
        let former = answers[source]
        answers[source] = isLocked
        switch (former, isLocked) {
        case (true, nil): departed.insert(source)
        case (_, nil): break
        // An unlock clears all departed sources: the next session may have another desktop, on
        // which the old locker never answers. A source that left while it said "locked", and comes
        // back with "unlocked", also reports an unlock.
        case (_, false) where former == true || departed.contains(source): departed = []
        default: departed.remove(source)
        }
    }

    /// Notes that another login session has begun: the next "unlocked" from `source` then counts as
    /// an unlock.
    ///
    /// The former session's locker may never answer again.
    mutating func sessionBegan(at source: String) {
        if !departed.isEmpty { departed.insert(source) }
    }

    var status: LockStatus {
        LockStatus(
            isLocked: answers.values.contains(true) || !departed.isEmpty,
            sources: departed.union(answers.keys).sorted(), isDecided: openQuestions == 0)
    }
}
