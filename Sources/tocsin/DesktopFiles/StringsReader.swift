internal import NotificationModel

/// Reads a strings file, such as `de.lproj/InfoPlist.strings`, in its text form or as XML.
///
/// It skips text that is not an entry.
///
/// Source: Apple, Resource Programming Guide, "Creating Strings Resource Files".
enum StringsReader {
    /// The texts by their keys; none for XML that is no property list.
    static func texts(of bytes: [UInt8]) -> [String: String] {
        // Both forms may begin with a byte order mark.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            guard case .success(.dictionary(let values)) = propertyList(bytes) else { return [:] }
            return values.compactMapValues { value in
                if case .string(let text) = value { text } else { nil }
            }
        }
        return entries(text(of: bytes).unicodeScalars[...])
    }

    private static func propertyList(
        _ bytes: [UInt8]
    ) -> Result<PropertyListValue, PropertyListReader.Failure> {
        Result { () throws(PropertyListReader.Failure) in try PropertyListReader.value(of: bytes) }
    }

    /// Decodes UTF-8, or UTF-16 with a byte order mark: Xcode wrote UTF-16 for many years.
    private static func text(of bytes: [UInt8]) -> String {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (low, high) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? low | high << 8 : high | low << 8
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func entries(_ text: Substring.UnicodeScalarView) -> [String: String] {
        var rest = text
        var texts: [String: String] = [:]
        var words: [String] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "/" where rest.first == "/": rest = rest.drop { $0 != "\n" }
            case "/" where rest.first == "*":
                rest = rest.dropFirst()
                while let scalar = rest.popFirst() {
                    guard scalar == "*", rest.first == "/" else { continue }
                    rest = rest.dropFirst()
                    break
                }
            case "\"": words.append(quoted(&rest))
            case ";":
                if words.count == 2 { texts[words[0]] = words[1] }
                words = []
            default:
                guard isPlain(scalar) else { continue }
                let word = rest.prefix(while: isPlain)
                words.append(String(scalar) + String(word))
                rest = rest[word.endIndex...]
            }
        }
        return texts
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (UInt8(ascii: scalar).isASCIIAlphanumeric || "_.-".unicodeScalars.contains(scalar))
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String {
        // Two escapes may be a surrogate pair, so the loop collects UTF-16.
        var text: [UInt16] = []
        while let scalar = rest.popFirst(), scalar != "\"" {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                text += scalar.utf16
                continue
            }
            switch escaped {
            case "n": text += "\n".utf16
            case "t": text += "\t".utf16
            case "r": text += "\r".utf16
            case "U", "u":
                let digits = rest.prefix(4)
                guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
                    let unit = UInt16(String(digits), radix: 16)
                else { continue }
                text.append(unit)
                rest = rest[digits.endIndex...]
            default: text += escaped.utf16
            }
        }
        return String(decoding: text, as: UTF16.self)
    }
}
