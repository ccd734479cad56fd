/// Compares values with signatures without building the values' own signatures.
enum TypeCheck {
    static func matches(_ value: BusValue, _ type: Signature) -> Bool {
        let bytes = type.rawValue.utf8
        // Nearly all types in use have one letter.
        if bytes.count == 1 { return bytes.first == value.typeCode }
        var rest = bytes[...]
        return consume(value, &rest) && rest.isEmpty
    }

    static func matches(_ values: [BusValue], _ signature: Signature) -> Bool {
        var rest = signature.rawValue.utf8[...]
        return values.allSatisfy { consume($0, &rest) } && rest.isEmpty
    }

    private static func consume(_ value: BusValue, _ rest: inout Substring.UTF8View) -> Bool {
        switch value {
        case .bytes:
            return consume("ay", &rest)
        case .array(let element, _):
            return consume("a", &rest) && consume(element.rawValue, &rest)
        case .dictionary(let key, let value, _):
            return consume("a{", &rest) && consume(key.rawValue, &rest)
                && consume(value.rawValue, &rest) && consume("}", &rest)
        case .structure(let members):
            return consume("(", &rest) && members.allSatisfy { consume($0, &rest) }
                && consume(")", &rest)
        default:
            return rest.popFirst() == value.typeCode
        }
    }

    private static func consume(_ text: String, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }
}
