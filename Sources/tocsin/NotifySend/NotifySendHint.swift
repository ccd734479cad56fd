internal import DesktopBus
internal import Glibc

/// Reads a hint of `notify-send -h TYPE:NAME:VALUE`, as tolerantly as libnotify 0.8.1.
///
/// Text after a number is ignored, and a whole number above 32 bits wraps around.
enum NotifySendHint {
    /// The name and the value; nil for an empty string, which is not sent.
    static func parse(
        _ text: String
    ) throws(NotifySendArguments.Failure) -> (name: String, value: BusValue)? {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 3 else {
            throw .init("Invalid hint syntax specified. Use TYPE:NAME:VALUE.")
        }
        let (type, name, value) = (parts[0], parts[1], parts[2])
        guard ["string", "int", "double", "byte", "boolean", "variant"].contains(type.lowercased())
        else {
            throw .init(
                "Invalid hint type \"\(type)\". Valid types are int, double, string and byte.")
        }
        guard let result = Self.value(value, type: type.lowercased()) else {
            throw .init(
                "Value \"\(value)\" of hint \"\(name)\" could not be parsed as type \"\(type)\".")
        }
        guard !name.isEmpty else {
            throw .init("Invalid hint syntax specified. Use TYPE:NAME:VALUE.")
        }
        return result == .string("") ? nil : (name, result)
    }

    private static func value(_ text: String, type: String) -> BusValue? {
        let beginsWithDigit = text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
        switch type {
        case "string": return .string(text)
        case "int":
            return beginsWithDigit ? .int32(Int32(truncatingIfNeeded: whole(text))) : nil
        case "double": return beginsWithDigit ? real(text).map { .double($0) } : nil
        case "byte":
            let number = Int32(truncatingIfNeeded: whole(text))
            return UInt8(exactly: number).map { .byte($0) }
        case "boolean":
            if text.lowercased() == "true" { return .bool(true) }
            return .bool(beginsWithDigit && whole(text) != 0)
        default: return GVariantParser.value(of: text)
        }
    }

    /// The whole number at the beginning; 0 if the text does not begin with a number.
    private static func whole(_ text: String) -> UInt64 { UInt64(strtoull(text, nil, 10)) }

    /// The longest beginning that is a number.
    private static func real(_ text: String) -> Double? {
        let characters = text.prefix { $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }
        for length in stride(from: characters.count, to: 0, by: -1) {
            if let number = Double(characters.prefix(length)) { return number }
        }
        return nil
    }
}
