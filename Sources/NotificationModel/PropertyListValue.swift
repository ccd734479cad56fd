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

// One key per kind, `{"s": "text"}`, so that a number comes back with the type it had.
extension PropertyListValue: Codable {
    private enum Kind: String, CodingKey {
        case string = "s"
        case integer = "i"
        case real = "r"
        case boolean = "b"
        case date = "t"
        case data = "d"
        case array = "a"
        case dictionary = "m"
    }

    /// Decodes the compact form in which the store keeps it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value without a kind"))
        }
        switch kind {
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .integer: self = .integer(try container.decode(Int64.self, forKey: kind))
        case .real:
            self = .real(Double(bitPattern: try container.decode(UInt64.self, forKey: kind)))
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: kind))
        case .date: self = .date(try container.decode(Instant.self, forKey: kind))
        case .data: self = .data(try container.decode([UInt8].self, forKey: kind))
        case .array: self = .array(try container.decode([Self].self, forKey: kind))
        case .dictionary:
            self = .dictionary(try container.decode([String: Self].self, forKey: kind))
        }
    }

    /// Encodes the compact form in which the store keeps it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .string(let value): try container.encode(value, forKey: .string)
        case .integer(let value): try container.encode(value, forKey: .integer)
        // The bits, because JSON has no infinity and no NaN.
        case .real(let value): try container.encode(value.bitPattern, forKey: .real)
        case .boolean(let value): try container.encode(value, forKey: .boolean)
        case .date(let value): try container.encode(value, forKey: .date)
        case .data(let value): try container.encode(value, forKey: .data)
        case .array(let value): try container.encode(value, forKey: .array)
        case .dictionary(let value): try container.encode(value, forKey: .dictionary)
        }
    }
}
