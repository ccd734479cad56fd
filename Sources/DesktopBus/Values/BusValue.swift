/// One value of the D-Bus type system.
public enum BusValue: Sendable, Hashable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case bool(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`; without NUL.
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`
    case descriptor(BusDescriptor)
    /// `a…` with elements other than dictionary entries; a received `ay` is always `bytes`.
    case array(element: Signature, [BusValue])
    /// `ay`, in one block.
    case bytes([UInt8])
    /// `a{…}`, in the order of the wire.
    case dictionary(key: Signature, value: Signature, [Entry])
    /// `(…)`; at least one member.
    case structure([BusValue])
    /// `v`
    indirect case variant(BusValue)

    /// One entry of a dictionary.
    public struct Entry: Sendable, Hashable {
        /// The key, of a basic type.
        public let key: BusValue
        /// The value.
        public let value: BusValue

        /// Makes an entry.
        public init(_ key: BusValue, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The type of this value.
    public var signature: Signature {
        switch self {
        case .bytes: "ay"
        case .array(let element, _): Signature(trusted: "a\(element.rawValue)")
        case .dictionary(let key, let value, _):
            Signature(trusted: "a{\(key.rawValue)\(value.rawValue)}")
        case .structure(let members):
            Signature(trusted: "(\(members.map(\.signature.rawValue).joined()))")
        default: Signature(trusted: String(Unicode.Scalar(typeCode)))
        }
    }

    var typeCode: UInt8 {
        switch self {
        case .byte: UInt8(ascii: "y")
        case .bool: UInt8(ascii: "b")
        case .int16: UInt8(ascii: "n")
        case .uint16: UInt8(ascii: "q")
        case .int32: UInt8(ascii: "i")
        case .uint32: UInt8(ascii: "u")
        case .int64: UInt8(ascii: "x")
        case .uint64: UInt8(ascii: "t")
        case .double: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        case .objectPath: UInt8(ascii: "o")
        case .signature: UInt8(ascii: "g")
        case .descriptor: UInt8(ascii: "h")
        case .variant: UInt8(ascii: "v")
        case .bytes, .array, .dictionary: UInt8(ascii: "a")
        case .structure: UInt8(ascii: "(")
        }
    }
}
