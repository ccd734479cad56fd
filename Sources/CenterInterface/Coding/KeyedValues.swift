package import DesktopBus
package import NotificationModel

/// The entries of an `a{sv}` under decoding: a key that is missing is nil, a key that is unknown
/// is left alone, a key of a wrong type is an error that names it.
package struct KeyedValues {
    private let values: [String: BusValue]
    let place: String

    /// Takes the entries of a value that `place` names in messages, "the request".
    package init(_ value: BusValue, of place: String) throws(NotificationError) {
        guard let values = value.unwrapped.vardictValue else {
            throw NotificationError(
                .invalidArgument,
                "In \(place) a value of the D-Bus type a{sv} was expected, not "
                    + "\(value.unwrapped.signature.rawValue). Send a dictionary of variants.")
        }
        self.values = values
        self.place = place
    }

    func wrongType(_ key: String, wanted: String) -> NotificationError {
        let found = values[key]?.unwrapped.signature.rawValue ?? "nothing"
        return NotificationError(
            .invalidArgument,
            "The key '\(key)' of \(place) must be \(wanted); it has the D-Bus type \(found). "
                + "See org.tocsin.NotificationCenter1.xml.")
    }

    func wrongValue(_ key: String, _ value: String, wanted: String) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The key '\(key)' of \(place) is \(value.quotedForMessage()); it must be \(wanted).")
    }

    private func get<Value>(
        _ key: String, _ wanted: String, _ read: (BusValue) -> Value?
    ) throws(NotificationError) -> Value? {
        guard let value = values[key] else { return nil }
        guard let result = read(value) else { throw wrongType(key, wanted: wanted) }
        return result
    }

    func string(_ key: String) throws(NotificationError) -> String? {
        try get(key, "a string") { $0.stringValue }
    }

    func text(_ key: String) throws(NotificationError) -> String {
        try string(key) ?? ""
    }

    func required(_ key: String) throws(NotificationError) -> String {
        guard let value = try string(key) else {
            throw NotificationError(
                .invalidArgument, "The key '\(key)' of \(place) is missing. Send it as a string.")
        }
        return value
    }

    func bool(_ key: String) throws(NotificationError) -> Bool? {
        try get(key, "a boolean") { $0.boolValue }
    }

    func flag(_ key: String) throws(NotificationError) -> Bool {
        try bool(key) ?? false
    }

    func integer(_ key: String) throws(NotificationError) -> Int64? {
        try get(key, "a whole number") { $0.anyInteger }
    }

    func requiredInteger(_ key: String) throws(NotificationError) -> Int64 {
        guard let value = try integer(key) else { throw wrongType(key, wanted: "a whole number") }
        return value
    }

    /// Microseconds since 1970, or what JSON has for a date.
    func instant(_ key: String) throws(NotificationError) -> Instant? {
        try get(key, Instant.wanted) { Instant(recordValue: RecordValue($0)) }
    }

    func strings(_ key: String) throws(NotificationError) -> [String] {
        try get(key, "an array of strings") { value in
            if let strings = value.stringsValue { return strings }
            guard let elements = value.arrayValue else { return nil }
            let strings = elements.compactMap(\.stringValue)
            return strings.count == elements.count ? strings : nil
        } ?? []
    }

    func dictionary(_ key: String) throws(NotificationError) -> KeyedValues? {
        guard let value = values[key] else { return nil }
        return try KeyedValues(value, of: "'\(key)' of \(place)")
    }

    func raw(_ key: String) -> BusValue? { values[key] }

    var isEmpty: Bool { values.isEmpty }

    /// The values for the records of the model.
    var records: [RecordEntry] { values.map { RecordEntry($0.key, RecordValue($0.value)) } }

    /// The dictionaries of an `aa{sv}`.
    package static func list(
        _ value: BusValue, of place: String
    ) throws(NotificationError) -> [KeyedValues] {
        guard let elements = value.arrayValue else {
            throw NotificationError(
                .invalidArgument,
                "In \(place) an array of a{sv} was expected, not "
                    + "\(value.unwrapped.signature.rawValue).")
        }
        return try elements.map { element throws(NotificationError) in
            try KeyedValues(element, of: place)
        }
    }
}

extension BusValue {
    /// A whole number of any type that fits 64 signed bits: who writes a call by hand rarely
    /// knows which one the interface names.
    var anyInteger: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }
}
