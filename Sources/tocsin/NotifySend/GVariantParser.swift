internal import DesktopBus
internal import NotificationModel

/// Reads values in GLib's text format, for `notify-send -h variant:NAME:VALUE`.
///
/// It reads booleans, strings, numbers, arrays, dictionaries, structures and `<variants>`. A type
/// may stand before a value, as in `uint32 5` or `@a{sv} {}`. The elements of an array have the
/// type of its first element. It does not read `just`, `nothing`, handles or byte strings.
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

    /// Reads a value; `type` is its type as a signature, or nil if only the text tells the type.
    private mutating func value(_ type: String? = nil) -> BusValue? {
        depth += 1
        defer { depth -= 1 }
        guard Limits.hintDepth.contains(depth) else { return nil }
        skipSpace()
        switch rest.unicodeScalars.first {
        case "'", "\"": return string().flatMap { Self.text($0, type ?? "s") }
        case "[": return array(type)
        case "{": return dictionary(type)
        case "(": return structure(type)
        case "<": return type ?? "v" == "v" ? variant() : nil
        case "@": return annotated(type)
        default: return word(type)
        }
    }

    /// A value after its type, such as `@as []`.
    private mutating func annotated(_ expected: String?) -> BusValue? {
        guard accept("@") else { return nil }
        let type = String(rest.prefix { !$0.isWhitespace })
        rest = rest.dropFirst(type.count)
        guard (try? Signature(type))?.isSingleType == true, expected ?? type == type else {
            return nil
        }
        return value(type)
    }

    /// Reads values between brackets; commas separate them, and a comma may follow the last one.
    ///
    /// `type` gets the values so far, and returns the type of the next value if it is known.
    private mutating func list(
        _ opening: String, _ closing: String, type: ([BusValue]) -> String?
    ) -> [BusValue]? {
        guard accept(opening) else { return nil }
        var result: [BusValue] = []
        while !accept(closing) {
            guard let next = value(type(result)) else { return nil }
            result.append(next)
            if accept(",") { continue }
            return accept(closing) ? result : nil
        }
        return result
    }

    private mutating func array(_ type: String?) -> BusValue? {
        let given = type.map { String($0.dropFirst()) }
        guard type?.hasPrefix("a") ?? true,
            let elements = list("[", "]", type: { given ?? $0.first?.signature.rawValue }),
            let element = elements.first?.signature ?? given.flatMap({ try? Signature($0) }),
            elements.allSatisfy({ $0.signature == element })
        else { return nil }
        return .array(element: element, elements)
    }

    private mutating func structure(_ type: String?) -> BusValue? {
        let types = type.map(Self.memberTypes)
        let members = list("(", ")") { former in
            types.map { former.count < $0.count ? $0[former.count] : "" }
        }
        guard let members, !members.isEmpty else { return nil }
        let structure = BusValue.structure(members)
        return type ?? structure.signature.rawValue == structure.signature.rawValue
            ? structure : nil
    }

    /// Splits `(sa{sv})` into `s` and `a{sv}`.
    private static func memberTypes(of type: String) -> [String] {
        var types: [String] = []
        var next = ""
        for letter in type.dropFirst().dropLast() {
            next.append(letter)
            guard (try? Signature(next))?.isSingleType == true else { continue }
            types.append(next)
            next = ""
        }
        return types
    }

    private mutating func variant() -> BusValue? {
        list("<", ">") { _ in nil }.flatMap { $0.count == 1 ? .variant($0[0]) : nil }
    }

    private mutating func dictionary(_ type: String?) -> BusValue? {
        guard type?.hasPrefix("a{") ?? true, accept("{") else { return nil }
        let types = type.map { $0.dropFirst(2).dropLast() }
        var keyType = types.map { String($0.prefix(1)) }
        var valueType = types.map { String($0.dropFirst()) }
        var entries: [BusValue.Entry] = []
        if !accept("}") {
            repeat {
                guard let key = value(keyType), accept(":"), let item = value(valueType) else {
                    return nil
                }
                (keyType, valueType) = (key.signature.rawValue, item.signature.rawValue)
                entries.append(.init(key, item))
            } while accept(",")
            guard accept("}") else { return nil }
        }
        // Making the signature of the whole dictionary checks that its keys have a basic type.
        guard let keyText = keyType, let itemText = valueType,
            (try? Signature("a{\(keyText)\(itemText)}")) != nil,
            let key = try? Signature(keyText), let item = try? Signature(itemText)
        else { return nil }
        return .dictionary(key: key, value: item, entries)
    }

    private mutating func string() -> String? {
        // Read Unicode scalars: a quote with U+0301 after it is another `Character`.
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
            guard let escaped = scalars.popFirst() else { return nil }
            switch escaped {
            case "\n": continue
            case "u", "U":
                let digits = scalars.prefix(escaped == "u" ? 4 : 8)
                scalars = scalars.dropFirst(digits.count)
                guard digits.count == (escaped == "u" ? 4 : 8),
                    let scalar = Self.scalar(String(digits))
                else { return nil }
                result.append(scalar)
            default: result.append(Self.escapes[escaped] ?? escaped)
            }
        }
        return nil
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    /// The scalar of a hexadecimal number; nil for NUL, which no string on the bus can have.
    private static func scalar(_ digits: String) -> Unicode.Scalar? {
        guard digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16), number > 0
        else { return nil }
        return Unicode.Scalar(number)
    }

    private static func text(_ text: String, _ type: String) -> BusValue? {
        switch type {
        case "s": .string(text)
        case "o": (try? ObjectPath(text)).map { .objectPath($0) }
        case "g": (try? Signature(text)).map { .signature($0) }
        default: nil
        }
    }

    /// A boolean, a number, or a value after the name of its type.
    private mutating func word(_ type: String?) -> BusValue? {
        let word = String(rest.prefix { $0.isLetter || $0.isNumber || "+-._".contains($0) })
        rest = rest.dropFirst(word.count)
        if let named = Self.typeNames[word] { return type ?? named == named ? value(named) : nil }
        guard word == "true" || word == "false" else { return Self.number(word, type) }
        return type ?? "b" == "b" ? .bool(word == "true") : nil
    }

    private static func number(_ text: String, _ type: String?) -> BusValue? {
        if type != "d", let whole = whole(text) { return wholeTypes[type ?? "i"]?(whole) }
        guard type ?? "d" == "d",
            type == "d" || text.contains(where: { ".eE".contains($0) }) || text.hasSuffix("inf")
                || text.hasSuffix("nan")
        else { return nil }
        return Double(text).map { .double($0) }
    }

    private static func whole(_ text: String) -> Int128? {
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.first.map("+-".contains) == true ? text.dropFirst() : text[...]
        guard digits.allSatisfy({ $0.isLetter || $0.isNumber }), digits.first?.isNumber == true
        else { return nil }
        if digits.lowercased().hasPrefix("0x") {
            return Int128(sign + digits.dropFirst(2), radix: 16)
        }
        return Int128(sign + digits, radix: digits.hasPrefix("0") && digits.count > 1 ? 8 : 10)
    }

    private static let typeNames = [
        "boolean": "b", "byte": "y", "int16": "n", "uint16": "q", "int32": "i", "uint32": "u",
        "int64": "x", "uint64": "t", "double": "d", "string": "s", "objectpath": "o",
        "signature": "g",
    ]

    private static let wholeTypes: [String: @Sendable (Int128) -> BusValue?] = [
        "y": { UInt8(exactly: $0).map { .byte($0) } },
        "n": { Int16(exactly: $0).map { .int16($0) } },
        "q": { UInt16(exactly: $0).map { .uint16($0) } },
        "i": { Int32(exactly: $0).map { .int32($0) } },
        "u": { UInt32(exactly: $0).map { .uint32($0) } },
        "x": { Int64(exactly: $0).map { .int64($0) } },
        "t": { UInt64(exactly: $0).map { .uint64($0) } },
    ]
}
