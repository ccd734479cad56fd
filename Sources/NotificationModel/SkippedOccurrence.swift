/// A date that a repeating request passes over, and the one on which it goes on.
public struct SkippedOccurrence: Hashable, Sendable {
    /// When it would have fired.
    public var skipped: Instant
    /// When it fires instead.
    public var next: Instant

    /// Makes the pair of dates.
    public init(skipped: Instant, next: Instant) {
        self.skipped = skipped
        self.next = next
    }
}
