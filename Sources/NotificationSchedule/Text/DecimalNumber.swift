/// A decimal number without sign, held exactly, so that `0.1h` is 360 s and not nearly so.
struct DecimalNumber: Hashable {
    var digits: Int64
    var divisor: Int64

    /// Reads `12`, `1.5` or `.5`; nil for anything else and for more than 18 digits.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        let all = parts[0] + fraction
        guard all.count <= 18, fraction.count <= 9, all.utf8.allSatisfy({ (48...57).contains($0) }),
            let digits = Int64(all)
        else { return nil }
        self.digits = digits
        divisor = fraction.reduce(1) { power, _ in power * 10 }
    }

    /// The number times a unit, rounded down; nil where it does not fit.
    func multiplied(by unit: Int64) -> Int64? {
        Int64(exactly: Int128(digits) * Int128(unit) / Int128(divisor))
    }
}
