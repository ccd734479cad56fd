/// When each push service that asked for a pause may get messages again; pure.
///
/// Ended pauses are removed, because strangers' subscriptions can name many origins.
package struct OriginPauses: Sendable {
    /// From this number of pauses on, a new pause may first remove all ended ones.
    package static let cleanupCount = 1_024

    private var ends: [String: ContinuousClock.Instant] = [:]
    /// The number of pauses at which a new pause removes the ended ones.
    ///
    /// It is twice the number that the last removal left, because a removal reads all pauses.
    private var nextCleanup = OriginPauses.cleanupCount

    package init() {}

    /// The number of pauses in memory; some of them may have ended.
    package var count: Int { ends.count }

    /// Prolongs the pause of an origin to this end; a later known end remains.
    package mutating func prolong(
        _ origin: String, to end: ContinuousClock.Instant, now: ContinuousClock.Instant
    ) {
        // The task of a pause may be cancelled, and then nobody asks for the origin again.
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
