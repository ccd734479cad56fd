/// Pauses between attempts; each pause is random within a range that doubles with each failure.
///
/// The random part keeps programs that lost the same bus from reconnecting all at once.
public struct Backoff: Sendable, Hashable {
    /// The shortest pause after the first failure.
    public var first: Duration
    /// The longest pause.
    public var longest: Duration

    /// Makes a backoff, by default from 100 ms to 10 s.
    public init(first: Duration = .milliseconds(100), longest: Duration = .seconds(10)) {
        self.first = first
        self.longest = longest
    }

    /// The pause after a failure; `failures` is the number of earlier failures in a row.
    ///
    /// `fraction` in 0...1 is the random part. The default pauses grow from 100–200 ms to 5–10 s.
    package func pause(afterFailures failures: Int, fraction: Double) -> Duration {
        var upper = first * 2
        for _ in 0..<max(failures, 0) where upper < longest { upper = upper * 2 }
        upper = min(upper, longest)
        return upper / 2 + upper / 2 * min(max(fraction, 0), 1)
    }
}
