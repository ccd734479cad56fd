/// Reads JSON (RFC 8259) into values of records and property lists, without Foundation.
///
/// Records and property lists have no null, so the reader leaves out members and elements that are
/// null. Of several equal keys, the last key is used. An error names the line and the column of the
/// problem.
///
/// Text that nests deeper than `maximumDepth` is an error, because it could exhaust the stack.
package struct JSONReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    /// Whether a whole number that fits only `UInt64` is kept exactly.
    ///
    /// If false, such a number becomes a real number, because a property list cannot hold it as a
    /// whole number.
    private let keepsBits: Bool
    private var position = 0

    private init(_ bytes: [UInt8], maximumDepth: Int, keepsBits: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.keepsBits = keepsBits
    }

    /// Reads a text as one property list.
    ///
    /// The result is nil if the text is `null`.
    ///
    /// - Throws: `JSONError` if the text is not JSON or nests too deep.
    package static func value(
        of bytes: [UInt8], maximumDepth: Int = PropertyListValue.maximumDepth
    ) throws(JSONError) -> PropertyListValue? {
        guard
            let value = try recordValue(
                of: bytes, maximumDepth: maximumDepth, keepsBits: false)
        else { return nil }
        do throws(RecordError) {
            return try value.propertyList("", limit: maximumDepth)
        } catch {
            throw JSONError(line: 1, column: 1, problem: error.problem)
        }
    }

    /// Reads a text as one value.
    ///
    /// The result is nil if the text is `null`.
    ///
    /// - Throws: `JSONError` if the text is not JSON or nests too deep.
    package static func recordValue(
        of bytes: [UInt8], maximumDepth: Int, keepsBits: Bool = true
    ) throws(JSONError) -> RecordValue? {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth, keepsBits: keepsBits)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else {
            throw reader.error("there is more text after the value")
        }
        return value
    }

    /// Reads the value at `place`; `place` moves past the value and the space after it.
    ///
    /// The result is nil if the value is `null`.
    ///
    /// - Throws: `JSONError` if no JSON is there, or it nests too deep.
    static func recordValue(
        of bytes: [UInt8], at place: inout Int, maximumDepth: Int
    ) throws(JSONError) -> RecordValue? {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth, keepsBits: true)
        reader.position = place
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        place = reader.position
        return value
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(JSONError) -> RecordValue? {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return .record(try object(depth: depth))
        case UInt8(ascii: "["): return .list(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", nil)
        case nil: throw error("the text ends where a value was expected")
        case let byte? where Self.beginsNumber(byte): return try number()
        default: throw error("a value was expected")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> [RecordEntry] {
        try open(depth)
        var result: [RecordEntry] = []
        // Most requests have at most 16 keys, and the records in them have only a few.
        result.reserveCapacity(depth == 0 ? 16 : 4)
        // A null removes an earlier value of the same key.
        var nulls: Set<String> = []
        if accept("}") { return result }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a key in quotes was expected") }
            let key = try string()
            guard accept(":") else { throw error("':' was expected after a key") }
            if let value = try value(depth: depth + 1) {
                if !nulls.isEmpty { nulls.remove(key) }
                result.append(RecordEntry(key, value))
            } else {
                nulls.insert(key)
            }
            if accept("}") {
                return nulls.isEmpty ? result : result.filter { !nulls.contains($0.name) }
            }
            guard accept(",") else { throw error("',' or '}' was expected") }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [RecordValue] {
        try open(depth)
        var result: [RecordValue] = []
        if accept("]") { return result }
        while true {
            if let element = try value(depth: depth + 1) { result.append(element) }
            if accept("]") { return result }
            guard accept(",") else { throw error("',' or ']' was expected") }
        }
    }

    private mutating func open(_ depth: Int) throws(JSONError) {
        guard depth < maximumDepth else {
            throw error("it nests deeper than \(maximumDepth) levels")
        }
        position += 1
    }

    private mutating func word(
        _ word: String, _ value: RecordValue?
    ) throws(JSONError) -> RecordValue? {
        guard bytes[position...].starts(with: word.utf8) else {
            throw error("a value was expected")
        }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONError) -> RecordValue {
        let start = position
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var whole: Int64? = 0
        if peek == UInt8(ascii: "0") {
            position += 1
        } else {
            whole = try digits()
        }
        var isWhole = true
        if peek == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        func text() -> String { String(decoding: bytes[start..<position], as: UTF8.self) }
        // `digits` has already computed most whole numbers, so `text` is seldom needed. A number of
        // at most 32 bits becomes `int32`, because hints have the D-Bus type `i`.
        if isWhole, let whole = whole.map({ isNegative ? -$0 : $0 }) ?? Int64(text()) {
            return Int32(exactly: whole).map { .int32($0) } ?? .integer(whole)
        }
        if isWhole, keepsBits, let bits = UInt64(text()) { return .bits(bits) }
        guard let real = Double(text()), real.isFinite else {
            throw error("the number is too large")
        }
        return .real(real)
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte.isASCIIDigit
    }

    /// Reads digits; returns nil if the number may need more than 63 bits.
    @discardableResult
    private mutating func digits() throws(JSONError) -> Int64? {
        let start = position
        var number: Int64 = 0
        while let byte = peek, byte.isASCIIDigit {
            position += 1
            number = number &* 10 &+ Int64(byte & 0xF)
        }
        guard position > start else { throw error("a digit was expected") }
        return position - start <= 18 ? number : nil
    }
}

// MARK: - Texts and places

extension JSONReader {
    private mutating func string() throws(JSONError) -> String {
        let start = position + 1
        position = endOfPlainText(from: start)
        if peek == UInt8(ascii: "\"") {
            position += 1
            return try validated(bytes.span.extracting(start..<position - 1))
        }
        // If the text has an escape, copy the bytes before it and decode the rest.
        var text = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try validated(text.span)
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20: throw error("a control character in a text must be escaped")
            default: text.append(byte)
            }
        }
        throw error("a string has no closing quote")
    }

    /// The place of the first quote, backslash or control character.
    private func endOfPlainText(from start: Int) -> Int {
        let bytes = bytes.span
        var place = start
        while place < bytes.count, bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\""),
            bytes[place] != UInt8(ascii: "\\")
        { place += 1 }
        return place
    }

    /// JSON outside of strings is ASCII, so only the strings need this check.
    private func validated(_ text: Span<UInt8>) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: text))
        } catch {
            throw self.error("a string is not UTF-8")
        }
    }

    /// The byte that each letter after a backslash stands for.
    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("\"\\/bfnrt".utf8, "\"\\/\u{8}\u{C}\n\r\t".utf8))

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard let byte = peek else { throw error("a string has no closing quote") }
        position += 1
        if byte == UInt8(ascii: "u") { return try unicode() }
        guard let plain = Self.escapes[byte] else {
            throw error("an escape is not one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
        return [plain]
    }

    private mutating func unicode() throws(JSONError) -> [UInt8] {
        var code = try fourDigits()
        if (0xD800..<0xDC00).contains(code) {
            guard bytes[position...].starts(with: "\\u".utf8) else {
                throw error("half of a surrogate pair stands alone")
            }
            position += 2
            let low = try fourDigits()
            guard (0xDC00..<0xE000).contains(low) else {
                throw error("half of a surrogate pair stands alone")
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw error("half of a surrogate pair stands alone")
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        let isHexadecimal = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        guard digits.count == 4, isHexadecimal,
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("four hexadecimal digits were expected after \\u") }
        position += 4
        return code
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D {
            position += 1
        }
    }

    private func error(_ problem: String) -> JSONError {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).count + 1
        return JSONError(line: line, column: column, problem: problem)
    }
}

/// The reason why a text is not JSON, and the place of the problem.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The character in the line, from 1.
    package var column: Int
    package var problem: String

    /// Place and problem, as a part of a sentence.
    package var description: String { "line \(line), column \(column): \(problem)" }
}
