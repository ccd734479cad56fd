package import DesktopBus
package import NotificationModel

/// Property lists in natural D-Bus types: `s x d b ay av a{sv}`, and a date as the structure
/// `(x)` of its microseconds.
///
/// Reading takes more than writing gives: every whole number, every array, dictionaries of any
/// value with string keys.
package enum PropertyListCoding {
    /// A dictionary as `a{sv}`.
    package static func encode(
        _ values: [String: PropertyListValue], key: String
    ) throws(NotificationError) -> BusValue {
        // The limit counts the dictionary itself.
        guard values.values.allSatisfy({ $0.depth < PropertyListValue.maximumDepth }) else {
            throw tooDeep(key)
        }
        return dictionary(values)
    }

    /// The dictionary of an `a{sv}`.
    package static func decode(
        _ value: BusValue, key: String
    ) throws(NotificationError) -> [String: PropertyListValue] {
        guard case .dictionary(let values) = try decode(value, key: key, depth: 0) else {
            throw NotificationError(
                .invalidArgument,
                "The key '\(key)' must be a dictionary with string keys; it has the D-Bus type "
                    + "\(value.unwrapped.signature.rawValue).")
        }
        return values
    }

    private static func dictionary(_ values: [String: PropertyListValue]) -> BusValue {
        // Sorted, so that equal values make equal messages.
        .vardict(values.sorted { $0.key < $1.key }.map { ($0.key, encode($0.value)) })
    }

    private static func encode(_ value: PropertyListValue) -> BusValue {
        switch value {
        case .string(let text): .string(text)
        case .integer(let number): .int64(number)
        case .real(let number): .double(number)
        case .boolean(let flag): .bool(flag)
        case .date(let instant): .structure([.int64(instant.microseconds)])
        case .data(let bytes): .bytes(bytes)
        case .array(let elements): .array(element: "v", elements.map { .variant(encode($0)) })
        case .dictionary(let values): dictionary(values)
        }
    }

    private static func decode(
        _ value: BusValue, key: String, depth: Int
    ) throws(NotificationError) -> PropertyListValue {
        switch value.unwrapped {
        case .string(let text): return .string(text)
        case .objectPath(let path): return .string(path.rawValue)
        case .signature(let signature): return .string(signature.rawValue)
        case .bool(let flag): return .boolean(flag)
        case .double(let number): return .real(number)
        case .bytes(let bytes): return .data(bytes)
        case .structure(let members):
            guard members.count == 1, case .int64(let microseconds) = members[0] else {
                throw unsuitable(value, key)
            }
            return .date(Instant(microseconds: microseconds))
        case .array where depth >= PropertyListValue.maximumDepth,
            .dictionary where depth >= PropertyListValue.maximumDepth:
            throw tooDeep(key)
        case .array(_, let elements):
            return .array(
                try elements.map { element throws(NotificationError) in
                    try decode(element, key: key, depth: depth + 1)
                })
        case .dictionary(_, _, let entries):
            return .dictionary(try decode(entries, of: value, key: key, depth: depth))
        default:
            guard let number = value.anyInteger else { throw unsuitable(value, key) }
            return .integer(number)
        }
    }

    private static func decode(
        _ entries: [BusValue.Entry], of value: BusValue, key: String, depth: Int
    ) throws(NotificationError) -> [String: PropertyListValue] {
        var result: [String: PropertyListValue] = [:]
        for entry in entries {
            guard case .string(let name) = entry.key else { throw unsuitable(value, key) }
            result[name] = try decode(entry.value, key: "\(key).\(name)", depth: depth + 1)
        }
        return result
    }

    private static func tooDeep(_ key: String) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The value of \(key.quotedForMessage()) nests deeper than "
                + "\(PropertyListValue.maximumDepth) levels. Store nested data as bytes.")
    }

    private static func unsuitable(_ value: BusValue, _ key: String) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The value of \(key.quotedForMessage()) has the D-Bus type "
                + "\(value.unwrapped.signature.rawValue), which a property list cannot hold. Use "
                + "s, x, d, b, ay, av, a{sv}, or (x) for a date.")
    }
}
