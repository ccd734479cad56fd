import NotificationModel

/// How many requests of one app may be on their way to the disk at a time: one that adds by the
/// thousand takes places from itself alone, and what others add goes into the next commit.
struct AddWindow {
    /// Enough to fill a commit, which then costs little for each.
    static let limit = 256

    private var counts: [ApplicationID: Int] = [:]
    private var waiting: [ApplicationID: CheckedContinuation<Void, Never>] = [:]

    /// Takes a place if there is one.
    mutating func enter(_ app: ApplicationID) -> Bool {
        let count = counts[app] ?? 0
        guard count < Self.limit else { return false }
        counts[app] = count + 1
        return true
    }

    /// Waits for a place; only the call that has the app's turn does, so there is one.
    mutating func wait(_ app: ApplicationID, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[app] = continuation
    }

    /// Hands the place to who waits, or gives it up.
    mutating func leave(_ app: ApplicationID) {
        if let waiter = waiting.removeValue(forKey: app) { return waiter.resume() }
        let rest = (counts[app] ?? 1) - 1
        counts[app] = rest > 0 ? rest : nil
    }
}
