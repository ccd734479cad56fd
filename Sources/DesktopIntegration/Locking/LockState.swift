internal import NotificationModel

/// What everybody who may know says of the lock; pure.
///
/// One that says "locked" is enough: lockers do not know of each other, and some set logind's hint
/// and have nothing on the session bus, or the other way round.
struct LockState: Hashable {
    private var answers: [String: Bool] = [:]

    /// Notes what a source says; nil for one that is not there or says nothing.
    mutating func note(_ isLocked: Bool?, by source: String) {
        answers[source] = isLocked
    }

    /// All of it.
    var status: LockStatus {
        LockStatus(isLocked: answers.values.contains(true), sources: answers.keys.sorted())
    }
}
