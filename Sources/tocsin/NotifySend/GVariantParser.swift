internal import DesktopBus
internal import NotificationModel

/// Reads values in GLib's text format, for `notify-send -h variant:NAME:VALUE`.
///
/// It reads booleans, strings, numbers with or without the name of their type, arrays,
/// dictionaries, structures, `<variants>`, and empty arrays such as `@as []`. It does not read
/// `just`, `nothing`, handles, byte strings or empty dictionaries. After `@`, it reads only an
/// empty array. In strings it knows the escapes `\n` and `\t`. Of any other escape, it drops only
/// the backslash.
///
/// Source: https://docs.gtk.org/glib/gvariant-text-format.html
struct GVariantParser {
    private var rest: Substring
    private var depth = 0

    private init(_ text: String) {
        rest = text[...]
    }

    /// The value of a text; nil if the text is not in this format.
    static func value(of text: String) -> BusValue? {
        var reader = GVariantParser(text)
        guard let value = reader.value() else { return nil }
        reader.skipSpace()
        return reader.rest.isEmpty ? value : nil
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0.isWhitespace }
    }

    private mutating func accept(_ text: String) -> Bool {
        skipSpace()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func value() -> BusValue? {
        depth += 1
        defer { depth -= 1 }
        guard Limits.hintDepth.contains(depth) else { return nil }
        skipSpace()
        switch rest.unicodeScalars.first {
        case "'", "\"": return string().map { .string($0) }
        case "[": return array()
        case "{": return dictionary()
        case "(": return list("(", ")").flatMap { $0.isEmpty ? nil : .structure($0) }
        case "<": return list("<", ">").flatMap { $0.count == 1 ? .variant($0[0]) : nil }
        case "@": return emptyArray()
        default: return word()
        }
    }

    /// Values between brackets, with commas between them; a comma may also follow the last value.
    private mutating func list(_ opening: String, _ closing: String) -> [BusValue]? {
        guard accept(opening) else { return nil }
        var result: [BusValue] = []
        while !accept(closing) {
            guard let value = value() else { return nil }
            result.append(value)
            if accept(",") { continue }
            return accept(closing) ? result : nil
        }
        return result
    }

    private mutating func array() -> BusValue? {
        guard let elements = list("[", "]"), let first = elements.first,
            elements.allSatisfy({ $0.signature == first.signature })
        else { return nil }
        return .array(element: first.signature, elements)
    }

    private mutating func emptyArray() -> BusValue? {
        guard accept("@a") else { return nil }
        let type = String(rest.prefix { !$0.isWhitespace })
        rest = rest.dropFirst(type.count)
        guard let element = try? Signature(type), list("[", "]") == [] else { return nil }
        return .array(element: element, [])
    }

    private mutating func dictionary() -> BusValue? {
        guard accept("{") else { return nil }
        var entries: [BusValue.Entry] = []
        repeat {
            guard let key = value(), accept(":"), let value = value() else { return nil }
            entries.append(.init(key, value))
        } while accept(",")
        guard accept("}"), let first = entries.first,
            entries.allSatisfy({
                $0.key.signature == first.key.signature
                    && $0.value.signature == first.value.signature
            })
        else { return nil }
        return .dictionary(key: first.key.signature, value: first.value.signature, entries)
    }

    private mutating func string() -> String? {
        // This reads scalars: a quote with U+0301 is one `Character`, which differs from a quote.
        var scalars = rest.unicodeScalars
        defer { rest = Substring(scalars) }
        guard let quote = scalars.popFirst() else { return nil }
        var result = String.UnicodeScalarView()
        while let scalar = scalars.popFirst() {
            if scalar == quote { return String(result) }
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case nil: return nil
            case "n": result.append("\n")
            case "t": result.append("\t")
            case let escaped?: result.append(escaped)
            }
        }
        return nil
    }

    /// A boolean, a number, or a value after the name of its type.
    private mutating func word() -> BusValue? {
        let word = String(rest.prefix { $0.isLetter || $0.isNumber || "+-._".contains($0) })
        rest = rest.dropFirst(word.count)
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "boolean", "string", "double": return value().flatMap { typed(word, $0) }
        default:
            guard let make = Self.wholeTypes[word] else { return Self.number(word) }
            skipSpace()
            let digits = String(rest.prefix { $0.isLetter || $0.isNumber || "+-".contains($0) })
            rest = rest.dropFirst(digits.count)
            return Self.whole(digits).flatMap(make)
        }
    }

    private func typed(_ type: String, _ value: BusValue) -> BusValue? {
        switch (type, value) {
        case ("boolean", .bool), ("string", .string), ("double", .double): value
        case ("double", .int32(let number)): .double(Double(number))
        default: nil
        }
    }

    private static func number(_ text: String) -> BusValue? {
        if let whole = whole(text) { return Int32(exactly: whole).map { .int32($0) } }
        guard text.contains(where: { ".eE".contains($0) }) else { return nil }
        return Double(text).map { .double($0) }
    }

    private static func whole(_ text: String) -> Int128? {
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.first.map("+-".contains) == true ? text.dropFirst() : text[...]
        guard digits.first?.isNumber == true else { return nil }
        if digits.lowercased().hasPrefix("0x") {
            return Int128(sign + digits.dropFirst(2), radix: 16)
        }
        return Int128(sign + digits, radix: digits.hasPrefix("0") && digits.count > 1 ? 8 : 10)
    }

    private static let wholeTypes: [String: @Sendable (Int128) -> BusValue?] = [
        "byte": { UInt8(exactly: $0).map { .byte($0) } },
        "int16": { Int16(exactly: $0).map { .int16($0) } },
        "uint16": { UInt16(exactly: $0).map { .uint16($0) } },
        "int32": { Int32(exactly: $0).map { .int32($0) } },
        "uint32": { UInt32(exactly: $0).map { .uint32($0) } },
        "int64": { Int64(exactly: $0).map { .int64($0) } },
        "uint64": { UInt64(exactly: $0).map { .uint64($0) } },
    ]
}
