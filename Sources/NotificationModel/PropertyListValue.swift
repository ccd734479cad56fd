/// A value that a property list can hold: what `userInfo` and attachment options are made of.
///
/// Integers are 64 bits; a date is an `Instant`; data are bytes.
public indirect enum PropertyListValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// A date.
    case date(Instant)
    /// Bytes.
    case data([UInt8])
    /// Values in order.
    case array([PropertyListValue])
    /// Values by name.
    case dictionary([String: PropertyListValue])

    /// How deep arrays and dictionaries may nest: D-Bus allows 64 levels, of which the message and
    /// its variants need some.
    public static let maximumDepth = Limits.depth.most

    /// The number of levels of arrays and dictionaries; 0 for a scalar.
    public var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .dictionary(let values): 1 + (values.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
