/// The pauses that push services asked for, each with its end; pure.
///
/// Ended pauses are removed, because strangers' subscriptions can name many origins.
package struct OriginPauses: Sendable {
    /// Ended pauses are removed together only if there are at least this many pauses.
    package static let cleanupCount = 1_024

    private var ends: [String: ContinuousClock.Instant] = [:]
    /// When there are this many pauses, a new pause first removes the ended pauses.
    ///
    /// A removal reads all pauses, so the next removal comes only when the number of pauses that
    /// are left has doubled.
    private var nextCleanup = OriginPauses.cleanupCount

    package init() {}

    /// The number of pauses in memory; some of them may have ended.
    package var count: Int { ends.count }

    /// Prolongs the pause of an origin to this end; never shortens the pause.
    package mutating func prolong(
        _ origin: String, to end: ContinuousClock.Instant, now: ContinuousClock.Instant
    ) {
        // Remove the ended pauses of all origins, because `pauseEnd` removes only the pause of the
        // given origin.
        if ends[origin] == nil, ends.count >= nextCleanup {
            ends = ends.filter { $0.value > now }
            nextCleanup = max(Self.cleanupCount, 2 * ends.count)
        }
        ends[origin] = max(ends[origin] ?? end, end)
    }

    /// The end of an origin's pause; nil if the origin may get messages.
    package mutating func pauseEnd(
        of origin: String, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        guard let end = ends[origin] else { return nil }
        guard end <= now else { return end }
        ends[origin] = nil
        return nil
    }
}
