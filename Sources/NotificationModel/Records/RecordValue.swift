/// A value of a record, ready for an encoding (the bus or JSON).
///
/// Each case is one way to write a value on the bus and in JSON. A reader accepts every case that
/// can mean the value of its field, such as any whole number.
///
/// A free tree is a property list in a record, such as the user info.
package enum RecordValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number: `x` on the bus.
    case integer(Int64)
    /// A whole number of 32 bits: `i`.
    case int32(Int32)
    /// A byte: `y`; in a free tree `{"$byte": 5}` in JSON.
    case byte(UInt8)
    /// An unsigned whole number of 64 bits, such as option bits: `t`.
    case bits(UInt64)
    /// A number with a fraction.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// The date of a field: microseconds on the bus, RFC 3339 in JSON.
    case instant(Instant)
    /// A date in a free tree: `(x)` on the bus, `{"$date": …}` in JSON.
    ///
    /// With `nanoseconds`, from 1 to 999, it is `(xi)`, and has nine digits after the point in
    /// JSON. JSON leaves the nanoseconds out if RFC 3339 cannot express the year. For such a year,
    /// an app's `Date` cannot express nanoseconds either.
    case date(Instant, nanoseconds: Int = 0)
    /// Bytes in a free tree: `ay` on the bus, `{"$data": BASE64}` in JSON.
    case data([UInt8])
    /// Texts: `as`.
    case strings([String])
    /// Values of a free tree: `av`.
    case list([RecordValue])
    /// A record: `a{sv}`.
    case record([RecordEntry])
    /// Records: `aa{sv}`.
    case records([[RecordEntry]])
    /// A dictionary of a free tree: `a{sv}`.
    case tree([RecordEntry])
    /// A missing value, for programs that expect the key; the bus has no such value.
    case null
    /// A value that no record can hold; the text names its kind in messages.
    case unsuitable(String)

    /// The kind of the value, as a message names it.
    package var kind: String {
        switch self {
        case .string: "a string"
        case .integer, .int32, .byte, .bits: "a whole number"
        case .real: "a number with a fraction"
        case .boolean: "a boolean"
        case .instant, .date: "a date"
        case .data: "bytes"
        case .strings, .list, .records: "a list"
        case .record, .tree: "a dictionary"
        case .null: "null"
        case .unsuitable(let kind): kind
        }
    }
}

/// A name and its value in a record.
package struct RecordEntry: Hashable, Sendable {
    package var name: String
    package var value: RecordValue

    package init(_ name: String, _ value: RecordValue) {
        self.name = name
        self.value = value
    }
}

/// The reason why a record cannot be read.
package struct RecordError: Error, Hashable {
    /// The names on the way to the value, the innermost first.
    package var path: [String]
    /// The problem, as a message puts it after the name: "is missing".
    package var problem: String

    init(_ name: String, _ problem: String) {
        path = [name]
        self.problem = problem
    }

    /// The same error for an outer record, which has the inner record under this name.
    func within(_ name: String) -> RecordError {
        var error = self
        error.path.append(name)
        return error
    }

    /// The error for the caller that sent the record.
    ///
    /// The message calls the record `subject`, for example "the request".
    package func error(of subject: String) -> NotificationError {
        let outer = path.dropFirst().map { "'\($0)' of " }.joined()
        return NotificationError(
            .invalidArgument,
            "The key '\(path.first ?? "")' of \(outer)\(subject) \(problem).")
    }
}

// MARK: - Free trees

extension RecordValue {
    /// A dictionary of a free tree, sorted so that equal values make equal messages.
    package static func tree(_ values: [String: PropertyListValue]) -> RecordValue {
        .tree(
            values.sorted { $0.key < $1.key }.map { RecordEntry($0.key, RecordValue($0.value)) })
    }

    init(_ value: PropertyListValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .boolean(let flag): .boolean(flag)
            case .date(let date, let nanoseconds): .date(date, nanoseconds: nanoseconds)
            case .data(let bytes): .data(bytes)
            case .array(let elements): .list(elements.map(RecordValue.init))
            case .dictionary(let values): .tree(values)
            }
    }

    /// The entries of a dictionary; nil for any other value.
    package var entries: [RecordEntry]? {
        switch self {
        case .record(let entries), .tree(let entries): entries
        default: nil
        }
    }

    /// The value as a property list.
    ///
    /// - Throws: `RecordError` if the value nests deeper than `limit` levels, or a property list
    ///   cannot hold the value.
    package func propertyList(
        _ name: String, depth: Int = 0, limit: Int = PropertyListValue.maximumDepth
    ) throws(RecordError) -> PropertyListValue {
        guard depth < limit || isScalar else {
            throw RecordError(
                name, "nests deeper than \(limit) levels. Store nested data as bytes")
        }
        switch self {
        case .string(let text): return .string(text)
        case .integer(let number): return .integer(number)
        case .int32(let number): return .integer(Int64(number))
        case .byte(let number): return .integer(Int64(number))
        case .bits(let bits):
            guard let number = Int64(exactly: bits) else {
                throw RecordError(name, "is \(bits), which a property list cannot hold")
            }
            return .integer(number)
        case .real(let number): return .real(number)
        case .boolean(let flag): return .boolean(flag)
        case .instant(let date): return .date(date)
        case .date(let date, let nanoseconds): return .date(date, nanoseconds: nanoseconds)
        case .data(let bytes): return .data(bytes)
        case .strings(let texts): return .array(texts.map { .string($0) })
        case .list(let elements): return try Self.array(elements, name, depth, limit)
        case .records(let records):
            return try Self.array(records.map { .record($0) }, name, depth, limit)
        case .record(let entries), .tree(let entries):
            var values = [String: PropertyListValue](minimumCapacity: entries.count)
            for entry in entries {
                do throws(RecordError) {
                    values[entry.name] = try entry.value.propertyList(
                        entry.name, depth: depth + 1, limit: limit)
                } catch {
                    throw error.within(name)
                }
            }
            return .dictionary(values)
        case .null: throw RecordError(name, "is null, which a property list cannot hold")
        case .unsuitable(let kind):
            throw RecordError(
                name,
                "is \(kind), which a property list cannot hold. Use s, x, d, b, ay, av, a{sv}, "
                    + "(x) for a date, or (xi) for a date with 0 to 999 nanoseconds")
        }
    }

    private var isScalar: Bool {
        switch self {
        case .strings, .list, .record, .records, .tree: false
        default: true
        }
    }

    private static func array(
        _ elements: [RecordValue], _ name: String, _ depth: Int, _ limit: Int
    ) throws(RecordError) -> PropertyListValue {
        .array(
            try elements.map { element throws(RecordError) in
                try element.propertyList(name, depth: depth + 1, limit: limit)
            })
    }
}
