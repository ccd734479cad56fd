/// Limits how often a client with sessions or watches starts a daemon again after a daemon died.
///
/// It allows three starts a minute: a daemon that always dies must not keep the machine busy.
struct RestartBudget {
    private var recent: [ContinuousClock.Instant] = []

    /// Counts a restart; returns false, without counting it, if the limit is reached.
    mutating func takeRestart(at now: ContinuousClock.Instant) -> Bool {
        recent.removeAll { now - $0 > .seconds(60) }
        guard recent.count < 3 else { return false }
        recent.append(now)
        return true
    }
}
