package import DesktopBus
package import NotificationModel

/// The values of the bus as JSON: the same keys, for programs that are not on the bus.
///
/// What JSON lacks is a dictionary with one key: bytes are `{"$data": BASE64}`, a date is
/// `{"$date": MICROSECONDS}`, a number without digits is `{"$real": "inf"}`, and a dictionary that
/// would look like one of these is `{"$dictionary": {…}}`.
package enum JSONCoding {
    /// Requests nest some levels above the user info.
    private static let maximumDepth = PropertyListValue.maximumDepth * 2 + 8

    /// A value as JSON text.
    package static func text(_ value: BusValue) -> String {
        switch value.unwrapped {
        case .bool(let flag): return flag ? "true" : "false"
        case .double(let number): return text(number)
        case .bytes(let bytes): return object([("$data", JSONEscaping.string(Base64.text(bytes)))])
        case .structure(let members):
            let moment = members.first?.int64Value ?? 0
            return object([("$date", String(moment))])
        case .array(_, let elements):
            return "[\(elements.map(text).joined(separator: ","))]"
        case .dictionary(_, _, let entries):
            let members = entries.compactMap { entry in
                entry.key.stringValue.map { ($0, text(entry.value)) }
            }
            let isSpecial = members.count == 1 && members[0].0.hasPrefix("$")
            return isSpecial ? object([("$dictionary", object(members))]) : object(members)
        case let other:
            return other.anyInteger.map { String($0) }
                ?? JSONEscaping.string(other.stringValue ?? "")
        }
    }

    /// The value of a JSON text.
    package static func value(of bytes: [UInt8]) throws(NotificationError) -> BusValue {
        let value: PropertyListValue?
        do throws(JSONError) {
            value = try JSONReader.value(of: bytes, maximumDepth: maximumDepth)
        } catch {
            throw NotificationError(.invalidArgument, "The text is not JSON: \(error).")
        }
        guard let value else {
            throw NotificationError(.invalidArgument, "The text is null; a value was expected.")
        }
        return try busValue(value)
    }

    private static func busValue(
        _ value: PropertyListValue
    ) throws(NotificationError) -> BusValue {
        switch value {
        case .string(let text): return .string(text)
        case .integer(let number): return .int64(number)
        case .real(let number): return .double(number)
        case .boolean(let flag): return .bool(flag)
        case .date(let instant): return .structure([.int64(instant.microseconds)])
        case .data(let bytes): return .bytes(bytes)
        case .array(let elements):
            return .array(
                element: "v",
                try elements.map { element throws(NotificationError) in
                    .variant(try busValue(element))
                })
        case .dictionary(let values): return try busValue(values)
        }
    }

    private static func busValue(
        _ values: [String: PropertyListValue]
    ) throws(NotificationError) -> BusValue {
        if values.count == 1, let (key, value) = values.first, key.hasPrefix("$") {
            return try special(key, value)
        }
        var entries: [(String, BusValue)] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            entries.append((key, try busValue(value)))
        }
        return .vardict(entries)
    }

    private static func special(
        _ key: String, _ value: PropertyListValue
    ) throws(NotificationError) -> BusValue {
        switch (key, value) {
        case ("$data", .string(let text)):
            if let bytes = Base64.bytes(text) { return .bytes(bytes) }
        case ("$date", .integer(let moment)): return .structure([.int64(moment)])
        case ("$real", .string(let text)):
            if let number = Double(text) { return .double(number) }
        case ("$dictionary", .dictionary(let values)):
            var entries: [(String, BusValue)] = []
            for (key, value) in values { entries.append((key, try busValue(value))) }
            return .vardict(entries)
        default: break
        }
        throw NotificationError(
            .invalidArgument,
            "The value of \(key.quotedForMessage()) cannot be understood. Use $data with Base64, "
                + "$date with microseconds, $real with inf, -inf or nan, or $dictionary.")
    }

    // MARK: Text

    private static func object(_ members: [(String, String)]) -> String {
        "{\(members.map { "\(JSONEscaping.string($0.0)):\($0.1)" }.joined(separator: ","))}"
    }

    private static func text(_ number: Double) -> String {
        number.isFinite ? "\(number)" : object([("$real", JSONEscaping.string("\(number)"))])
    }
}
