import NotificationModel

/// Keeps the calls of one app in order while one of them copies attachments; the calls of others
/// go on.
struct CallOrder {
    /// The apps of which a call has the turn, and the calls that wait for it.
    private var turns: [ApplicationID: [CheckedContinuation<Void, Never>]] = [:]

    /// Takes the turn where it is free.
    mutating func take(_ app: ApplicationID) -> Bool {
        guard turns[app] == nil else { return false }
        turns[app] = []
        return true
    }

    /// Waits for a turn that is not free.
    mutating func wait(_ app: ApplicationID, _ continuation: CheckedContinuation<Void, Never>) {
        turns[app, default: []].append(continuation)
    }

    /// Passes the turn on.
    mutating func pass(_ app: ApplicationID) {
        guard var others = turns[app], !others.isEmpty else {
            turns[app] = nil
            return
        }
        let next = others.removeFirst()
        turns[app] = others
        next.resume()
    }
}
