package import DesktopBus

/// Makes random D-Bus values of every type; the same seed gives the same values.
///
/// It owns the source of random numbers.
///
/// It promises extreme numbers and hostile texts among the values.
///
/// It never makes a descriptor.
package struct ValueGenerator {
    /// The source of the next values.
    package var random: SeededGenerator

    private static let texts = [
        "", "a", "org.tocsin.Tocsin", "../x", "日本", "e\u{301}", "\u{202E}x", "line\nfeed", "%s%n",
        "-1", "9223372036854775807", "<b>", "\u{1}\u{7F}", String(repeating: "x", count: 5_000),
    ]

    package init(random: SeededGenerator) {
        self.random = random
    }

    /// The arguments of a call: none to four.
    package mutating func body() -> [BusValue] {
        (0..<number(0...4)).map { _ in value() }
    }

    /// A value of a random type, but never a descriptor.
    package mutating func value(depth: Int = 3) -> BusValue {
        value(of: type(depth: depth), depth: depth)
    }

    /// A value of this type, with extreme numbers and hostile texts.
    package mutating func value(of signature: Signature, depth: Int = 3) -> BusValue {
        let text = signature.rawValue
        switch text.first {
        case "y": return .byte(integer())
        case "b": return .bool(flag())
        case "n": return .int16(integer())
        case "q": return .uint16(integer())
        case "i": return .int32(integer())
        case "u": return .uint32(integer())
        case "x": return .int64(integer())
        case "t": return .uint64(integer())
        case "d": return .double(real())
        case "o": return .objectPath(flag() ? "/" : "/org/a")
        case "g": return .signature(flag() ? "" : "a{sv}")
        case "v": return .variant(value(depth: depth - 1))
        case "(": return .structure(members(of: text).map { value(of: $0, depth: depth - 1) })
        case "a": return array(of: String(text.dropFirst()), depth)
        default: return .string(string())
        }
    }

    /// A text that a parser, a path or a format string may misread.
    package mutating func string() -> String { Self.texts.randomElement(using: &random) ?? "" }

    package mutating func flag() -> Bool { Bool.random(using: &random) }

    package mutating func number<Value: FixedWidthInteger>(_ range: ClosedRange<Value>) -> Value {
        Value.random(in: range, using: &random)
    }

    /// A whole number; half of the time 0, 1 or a number at an end of the type's range.
    package mutating func integer<Value: FixedWidthInteger>() -> Value {
        let ends: [Value] = [.min, .max, 0, 1, .max - 1, .min + 1]
        return flag() ? ends.randomElement(using: &random) ?? 0 : number(.min ... .max)
    }

    package mutating func real() -> Double {
        let ends: [Double] = [
            0, -0.0, 1, -1, .nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude,
        ]
        return flag()
            ? ends.randomElement(using: &random) ?? 0 : Double(bitPattern: random.next())
    }

    private mutating func type(depth: Int) -> Signature {
        let simple = ["y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g"]
        let deep = ["as", "ay", "a{sv}", "aa{sv}", "(sv)", "a(ix)", "a{xs}", "v", "av", "aai"]
        let types = depth > 0 ? simple + deep : simple
        let choice = types.randomElement(using: &random) ?? "s"
        return (try? Signature(choice)) ?? "s"
    }

    private mutating func array(of element: String, _ depth: Int) -> BusValue {
        let count = depth > 0 ? number(0...3) : 0
        guard element.hasPrefix("{") else {
            if element == "y" { return .bytes((0..<count).map { _ in integer() }) }
            let type = (try? Signature(element)) ?? "s"
            return .array(element: type, (0..<count).map { _ in value(of: type, depth: depth - 1) })
        }
        let parts = members(of: element)
        guard parts.count == 2 else { return .array(element: "s", []) }
        return .dictionary(
            key: parts[0], value: parts[1],
            (0..<count).map { _ in
                .init(value(of: parts[0], depth: depth), value(of: parts[1], depth: depth - 1))
            })
    }

    /// The types between the brackets of a structure or an entry.
    private func members(of text: String) -> [Signature] {
        var types: [Signature] = []
        var type = ""
        var depth = 0
        for character in text.dropFirst().dropLast() {
            type.append(character)
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            guard depth == 0, character != "a" else { continue }
            if let signature = try? Signature(type) { types.append(signature) }
            type = ""
        }
        return types
    }
}
