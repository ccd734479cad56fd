/// Limits how often a daemon that died is started again for sessions that only listen.
///
/// It allows three starts a minute: a daemon that always dies must not keep the machine busy.
struct RestartBudget {
    private var recent: [ContinuousClock.Instant] = []

    /// Takes one restart; returns false if none is left.
    mutating func takeRestart(at now: ContinuousClock.Instant) -> Bool {
        recent.removeAll { now - $0 > .seconds(60) }
        guard recent.count < 3 else { return false }
        recent.append(now)
        return true
    }
}
