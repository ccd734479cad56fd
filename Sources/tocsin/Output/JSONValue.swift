internal import NotificationModel

/// A JSON value and its text on one line; objects keep the order of their members.
indirect enum JSONValue: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])
    /// JSON text of one line that was made elsewhere.
    case verbatim(String)

    /// One member of an object.
    struct Member: Hashable {
        var name: String
        var value: JSONValue

        init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A string, or null.
    init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }

    /// The JSON text, RFC 8259.
    var text: String {
        var result = ""
        write(to: &result)
        return result
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): Self.write(value, to: &text)
        case .string(let value): text += JSONEscaping.string(value)
        case .verbatim(let value): text += value
        case .array(let elements):
            Self.write(elements, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members, "{", "}", to: &text) { member, text in
                text += JSONEscaping.string(member.name)
                text += ":"
                member.value.write(to: &text)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, to text: inout String,
        _ body: (Element, inout String) -> Void
    ) {
        text += opening
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            body(element, &text)
        }
        text += closing
    }

    /// JSON has neither infinity nor NaN.
    private static func write(_ number: Double, to text: inout String) {
        if let whole = Int64(exactly: number), abs(whole) < 1 << 53 {
            text += String(whole)
        } else {
            text += number.isFinite ? "\(number)" : "null"
        }
    }
}
