internal import DesktopBus

/// Limits how often a client with sessions or watches starts a daemon again after a daemon died.
///
/// It allows three starts a minute, and growing pauses after that: a daemon that always dies must
/// not keep the machine busy.
struct RestartBudget {
    private let backoff: Backoff
    private var recent: [ContinuousClock.Instant] = []
    private var failures = 0
    private var lastFailure: ContinuousClock.Instant?

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// Counts a restart; returns false, without counting it, if the limit is reached.
    mutating func takeRestart(at now: ContinuousClock.Instant) -> Bool {
        recent.removeAll { now - $0 > .seconds(60) }
        guard recent.count < 3 else { return false }
        recent.append(now)
        return true
    }

    /// The pause after a restart that failed, or that the limit forbade.
    ///
    /// Each pause is longer than the previous one. The pauses begin short again after twice the
    /// longest pause without such a restart. The arrival of a daemon does not shorten them, because
    /// the daemon may die soon.
    mutating func pause(at now: ContinuousClock.Instant, fraction: Double) -> Duration {
        if let lastFailure, now - lastFailure > backoff.longest * 2 { failures = 0 }
        lastFailure = now
        defer { failures += 1 }
        return backoff.pause(afterFailures: failures, fraction: fraction)
    }
}
