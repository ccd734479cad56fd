// Arithmetic on numbers from outside: an overflow must not end the process.

extension Int64 {
    /// The sum, clamped to the range.
    @inlinable package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// The difference, clamped to the range.
    @inlinable package func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, clamped to the range.
    @inlinable package func saturatingMultiply(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Seconds as microseconds, rounded up and clamped to the range.
    package init(microsecondsOfSeconds seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded(.up)
        self = Int64(exactly: scaled) ?? (scaled < 0 ? .min : .max)
    }
}
