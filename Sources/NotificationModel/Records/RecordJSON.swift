/// The values of records as JSON, both ways.
///
/// A free tree is a property list in a record, such as the user info. JSON lacks some types of a
/// free tree, so a dictionary with one key stands for a value of such a type:
/// - data: `{"$data": BASE64}`
/// - a date: `{"$date": "2026-12-24T17:00:00Z"}`
/// - a byte: `{"$byte": 5}`
/// - a number that is not finite: `{"$real": "inf"}`
/// - a dictionary whose only key begins with `$`: `{"$dictionary": {…}}`
///
/// Outside of free trees, a date is a text and a byte is a number, and `bytes(of:_:)` rejects a
/// number that is not finite. A date outside of the years 0 to 9999 becomes a number of
/// microseconds since 1970, because RFC 3339 cannot express the date.
package enum RecordJSON {
    /// The maximum depth of a JSON text.
    ///
    /// A request contains the user info a few levels down, and `$dictionary` may double the levels
    /// of the user info.
    private static let maximumDepth = PropertyListValue.maximumDepth * 2 + 8

    /// A record as JSON text.
    ///
    /// Messages call the record `subject`.
    ///
    /// - Throws: `invalidArgument` if a number outside of free trees is not finite.
    package static func bytes(
        of entries: [RecordEntry], _ subject: @autoclosure () -> String
    ) throws(NotificationError) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(.record(entries), isFree: false)
        guard writer.isPlain else {
            throw NotificationError(
                .invalidArgument,
                "A number in \(subject()) is infinite or NaN. Use finite numbers.")
        }
        return writer.bytes
    }

    /// Any value as JSON text; `isFree` says that the value is part of a free tree.
    package static func text(_ value: RecordValue, isFree: Bool = false) -> String {
        var writer = JSONWriter()
        writer.write(value, isFree: isFree)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value of a JSON text.
    ///
    /// - Throws: `invalidArgument` if the text is not JSON, is null, or misuses a key that begins
    ///   with `$`.
    package static func value(of bytes: [UInt8]) throws(NotificationError) -> RecordValue {
        try value { () throws(JSONError) in
            try JSONReader.recordValue(of: bytes, maximumDepth: maximumDepth)
        }
    }

    private static func value(
        _ read: () throws(JSONError) -> RecordValue?
    ) throws(NotificationError) -> RecordValue {
        let found: RecordValue?
        do throws(JSONError) {
            found = try read()
        } catch {
            throw NotificationError(.invalidArgument, "The text is not JSON: \(error).")
        }
        guard var value = consume found else {
            throw NotificationError(.invalidArgument, "The text is null; a value was expected.")
        }
        try resolve(&value)
        return value
    }

    /// The entries of a JSON object, which messages call `subject`.
    ///
    /// - Throws: `invalidArgument` if the text is not a JSON object, or misuses a key that begins
    ///   with `$`.
    package static func entries(
        of bytes: [UInt8], _ subject: @autoclosure () -> String
    ) throws(NotificationError) -> [RecordEntry] {
        try entries(of: value(of: bytes), subject())
    }

    /// The entries of the JSON object at `place`, which messages call `subject`.
    ///
    /// `place` moves to the next object, for example on the next line.
    ///
    /// - Throws: `invalidArgument` if no JSON object is there, or it misuses a key that begins with
    ///   `$`.
    package static func entries(
        of bytes: [UInt8], at place: inout Int, _ subject: @autoclosure () -> String
    ) throws(NotificationError) -> [RecordEntry] {
        let value = try value { () throws(JSONError) in
            try JSONReader.recordValue(of: bytes, at: &place, maximumDepth: maximumDepth)
        }
        return try entries(of: value, subject())
    }

    private static func entries(
        of value: RecordValue, _ subject: @autoclosure () -> String
    ) throws(NotificationError) -> [RecordEntry] {
        guard let entries = value.entries else {
            throw NotificationError(
                .invalidArgument, "\(subject()) is \(value.kind), not a JSON object.")
        }
        return entries
    }

    // MARK: Types that JSON lacks

    private static func resolve(_ value: inout RecordValue) throws(NotificationError) {
        if case .record(let entries) = value, entries.count == 1, entries[0].name.hasPrefix("$") {
            value = try special(entries[0])
            return
        }
        // After the swap, `taken` is the only owner of the value, so its elements change without a
        // copy.
        var taken = RecordValue.null
        swap(&taken, &value)
        switch consume taken {
        case .list(var elements):
            for place in elements.indices { try resolve(&elements[place]) }
            value = .list(elements)
        case .record(let entries): value = try dictionary(entries)
        case let other: value = other
        }
    }

    private static func dictionary(
        _ entries: consuming [RecordEntry]
    ) throws(NotificationError) -> RecordValue {
        for place in entries.indices { try resolve(&entries[place].value) }
        return .record(entries)
    }

    private static func special(_ entry: RecordEntry) throws(NotificationError) -> RecordValue {
        switch (entry.name, entry.value) {
        case ("$data", .string(let text)):
            if let bytes = Base64.bytes(text) { return .data(bytes) }
        case ("$date", let value):
            guard let date = Instant(recordValue: value) else { break }
            guard case .string(let text) = value else { return .date(date) }
            return .date(date, nanoseconds: Instant.nanoseconds(rfc3339: text))
        case ("$byte", let value):
            if let byte = UInt8(recordValue: value) { return .byte(byte) }
        case ("$real", .string(let text)):
            if let number = Double(text) { return .real(number) }
        case ("$dictionary", .record(let entries)): return try dictionary(entries)
        default: break
        }
        throw NotificationError(
            .invalidArgument,
            "The value of \(entry.name.quotedForMessage()) cannot be understood. Use $data with "
                + "Base64, $date with a date, $byte with 0 to 255, $real with inf, -inf or nan, or "
                + "$dictionary.")
    }
}

private struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether every number outside of free trees is finite; JSON has no other numbers.
    private(set) var isPlain = true

    init() {
        bytes.reserveCapacity(1_024)
    }

    mutating func write(_ value: RecordValue, isFree: Bool) {
        switch value {
        case .string(let text): write(text)
        case .integer(let number): append(String(number))
        case .int32(let number): append(String(number))
        case .bits(let number): append(String(number))
        case .byte(let number):
            isFree ? write(special: "$byte", String(number)) : append(String(number))
        case .real(let number):
            // Keep the point in a free tree: a reader would mistake digits without a point for
            // an integer.
            if !isFree, let whole = Int64(exactly: number), whole.magnitude < 1 << 53,
                whole != 0 || number.sign == .plus
            {
                append(String(whole))
            } else if number.isFinite {
                append(number.description)
            } else {
                write(special: "$real", "\"\(number)\"")
                isPlain = isPlain && isFree
            }
        case .boolean(let flag): append(flag ? "true" : "false")
        case .instant(let date): append(Self.text(date))
        case .date(let date, let nanoseconds):
            write(special: "$date", Self.text(date, nanoseconds: nanoseconds))
        case .data(let data): write(special: "$data", "\"\(Base64.text(data))\"")
        case .strings(let texts): write(texts, "[", "]") { $0.write($1) }
        case .list(let elements): write(elements, "[", "]") { $0.write($1, isFree: isFree) }
        case .records(let records):
            write(records, "[", "]") { $0.write(.record($1), isFree: isFree) }
        case .record(let entries): write(entries, isFree: isFree)
        case .tree(let entries): write(entries, isFree: true)
        case .null: append("null")
        case .unsuitable(let kind): write(kind)
        }
    }

    private mutating func write(_ entries: [RecordEntry], isFree: Bool) {
        let isEscaped = isFree && entries.count == 1 && entries[0].name.hasPrefix("$")
        if isEscaped { append(#"{"$dictionary":"#) }
        write(entries, "{", "}") { writer, entry in
            writer.write(entry.name)
            writer.bytes.append(UInt8(ascii: ":"))
            writer.write(entry.value, isFree: isFree)
        }
        if isEscaped { bytes.append(UInt8(ascii: "}")) }
    }

    private mutating func write<Element>(
        _ elements: [Element], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        let list = elements.span
        for place in list.indices {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            body(&self, list[place])
        }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func write(special key: String, _ text: String) {
        append("{\"\(key)\":\(text)}")
    }

    private mutating func write(_ text: String) {
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard utf8.allSatisfy(Self.isPlain) else { return false }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: utf8)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { append(JSONEscaping.string(text)) }
    }

    /// Whether JSON needs no escape for a byte of a text.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func text(_ date: Instant, nanoseconds: Int = 0) -> String {
        date.rfc3339(nanoseconds: nanoseconds).map { "\"\($0)\"" } ?? String(date.microseconds)
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }
}
