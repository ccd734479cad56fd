extension BusValue {
    /// The value inside any number of variants.
    public var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The text of a string, object path or signature, also inside variants.
    public var stringValue: String? {
        switch unwrapped {
        case .string(let string): string
        case .objectPath(let path): path.rawValue
        case .signature(let signature): signature.rawValue
        default: nil
        }
    }

    /// The path, also inside variants.
    public var objectPathValue: ObjectPath? {
        if case .objectPath(let path) = unwrapped { path } else { nil }
    }

    /// The number if the type is `u`, also inside variants.
    public var uint32Value: UInt32? {
        if case .uint32(let number) = unwrapped { number } else { nil }
    }

    /// The number if the type is `i`, also inside variants.
    public var int32Value: Int32? {
        if case .int32(let number) = unwrapped { number } else { nil }
    }

    /// The number if the type is `x`, also inside variants.
    public var int64Value: Int64? {
        if case .int64(let number) = unwrapped { number } else { nil }
    }

    /// The truth value if the type is `b`, also inside variants.
    public var boolValue: Bool? {
        if case .bool(let bool) = unwrapped { bool } else { nil }
    }

    /// The number if the type is `d`, also inside variants.
    public var doubleValue: Double? {
        if case .double(let number) = unwrapped { number } else { nil }
    }

    /// The elements of an array, also inside variants; the elements of `ay` are byte values.
    public var arrayValue: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements): elements
        case .bytes(let bytes): bytes.map(BusValue.byte)
        default: nil
        }
    }

    /// The members of a structure, also inside variants.
    public var structureValue: [BusValue]? {
        if case .structure(let members) = unwrapped { members } else { nil }
    }

    /// The bytes of `ay`, also inside variants.
    public var bytesValue: [UInt8]? {
        switch unwrapped {
        case .bytes(let bytes): bytes
        default: nil
        }
    }

    /// The descriptor, also inside variants.
    public var descriptorValue: BusDescriptor? {
        if case .descriptor(let descriptor) = unwrapped { descriptor } else { nil }
    }

    /// The strings of `as`, also inside variants.
    public var stringsValue: [String]? {
        guard case .array("s", let elements) = unwrapped else { return nil }
        return elements.compactMap(\.stringValue)
    }

    /// The entries of `a{sv}`, with one variant removed from each value.
    ///
    /// Of several entries with the same key, the last is used.
    public var vardictValue: [String: BusValue]? {
        guard case .dictionary("s", "v", let entries) = unwrapped else { return nil }
        var result: [String: BusValue] = [:]
        result.reserveCapacity(entries.count)
        for entry in entries {
            guard case .string(let key) = entry.key, case .variant(let value) = entry.value else {
                return nil
            }
            result[key] = value
        }
        return result
    }

    /// Makes `a{sv}`: each value goes into a variant.
    public static func vardict(_ entries: [(String, BusValue)]) -> BusValue {
        .dictionary(
            key: "s", value: "v", entries.map { Entry(.string($0.0), .variant($0.1)) })
    }

    /// Makes `as`.
    public static func strings(_ strings: [String]) -> BusValue {
        .array(element: "s", strings.map(BusValue.string))
    }
}
