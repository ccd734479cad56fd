internal import NotificationModel

/// Reads a property list in XML, such as an `Info.plist`, without Foundation.
///
/// It throws an error for a text that is not such a list, or that nests deeper than
/// `PropertyListValue.maximumDepth`. It reads a date as text. It resolves only the five entities of
/// XML itself, and numbered characters; any other entity is an error.
///
/// Source: http://www.apple.com/DTDs/PropertyList-1.0.dtd.
struct PropertyListReader {
    struct Failure: Error, Hashable {
        var reason: String
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func value(of bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        guard !bytes.starts(with: "bplist".utf8) else {
            throw Failure(
                reason: "it is a binary property list; write it as XML with 'plistutil' or "
                    + "'plutil -convert xml1'")
        }
        var reader = PropertyListReader(bytes)
        while let tag = try reader.nextTag() {
            if tag.name != "plist" || tag.isEmpty { continue }
            guard let first = try reader.nextTag(), !first.isEnd else { break }
            return try reader.value(first, depth: 0)
        }
        throw Failure(reason: "it has no element 'plist' with a value")
    }

    // MARK: Elements

    private struct Tag {
        var name: String
        var isEnd: Bool
        var isEmpty: Bool
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(Failure) -> PropertyListValue {
        guard depth < PropertyListValue.maximumDepth else {
            throw Failure(reason: "it nests deeper than \(PropertyListValue.maximumDepth) levels")
        }
        switch tag.name {
        case "dict": return .dictionary(tag.isEmpty ? [:] : try dictionary(depth: depth))
        case "array": return .array(tag.isEmpty ? [] : try array(depth: depth))
        case "true", "false":
            if !tag.isEmpty { _ = try text(until: tag.name) }
            return .boolean(tag.name == "true")
        default: break
        }
        let text = tag.isEmpty ? "" : try text(until: tag.name)
        switch tag.name {
        case "string", "date": return .string(text)
        case "integer":
            guard let number = Self.integer(text) else { throw unusable(text, tag.name) }
            return .integer(number)
        case "real":
            let digits = String(text.unicodeScalars.drop(while: \.properties.isWhitespace))
            guard let number = Double(digits) else { throw unusable(text, tag.name) }
            return .real(number)
        case "data":
            let digits = String(
                String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace })
            )
            guard let data = Base64.bytes(digits) else { throw unusable(text, tag.name) }
            return .data(data)
        default:
            throw Failure(
                reason: "\(tag.name.quotedForMessage()) is no element of a property list")
        }
    }

    /// Reads a number as Apple's readers do.
    ///
    /// White space may come before the number and after its sign, and `0x` begins a hexadecimal
    /// number.
    private static func integer(_ text: String) -> Int64? {
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" {
            rest = rest.dropFirst().drop(while: \.properties.isWhitespace)
        }
        let isHexadecimal =
            rest.starts(with: "0x".unicodeScalars) || rest.starts(with: "0X".unicodeScalars)
        if isHexadecimal { rest = rest.dropFirst(2) }
        // `Int64` would accept a second sign.
        guard rest.first != "+", rest.first != "-" else { return nil }
        return Int64((isNegative ? "-" : "") + String(rest), radix: isHexadecimal ? 16 : 10)
    }

    private mutating func dictionary(
        depth: Int
    ) throws(Failure) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        while let tag = try nextTag(inside: "dict") {
            guard tag.name == "key" else { throw Failure(reason: "a dictionary lacks a key") }
            let key = tag.isEmpty ? "" : try text(until: "key")
            guard let tag = try nextTag(), !tag.isEnd else {
                throw Failure(reason: "the key \(key.quotedForMessage()) has no value")
            }
            values[key] = try value(tag, depth: depth + 1)
        }
        return values
    }

    private mutating func array(depth: Int) throws(Failure) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        while let tag = try nextTag(inside: "array") {
            values.append(try value(tag, depth: depth + 1))
        }
        return values
    }

    private func unusable(_ text: String, _ type: String) -> Failure {
        Failure(reason: "\(text.quotedForMessage()) is no value of type '\(type)'")
    }

    // MARK: Text

    /// The next tag inside an element; nil at the element's end.
    private mutating func nextTag(inside name: String) throws(Failure) -> Tag? {
        guard let tag = try nextTag(), !tag.isEnd || tag.name == name else {
            throw Failure(reason: "the element \(name.quotedForMessage()) has no end")
        }
        return tag.isEnd ? nil : tag
    }

    /// The next tag after comments and declarations; nil at the end of the text.
    private mutating func nextTag() throws(Failure) -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start + 1
            if skipped("!--", until: "-->") || skipped("?", until: "?>") || skipped("!", until: ">")
            {
                continue
            }
            guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
                throw Failure(reason: "a tag has no end")
            }
            var content = bytes[position..<end]
            position = end + 1
            let isEnd = content.first == UInt8(ascii: "/")
            if isEnd { content = content.dropFirst() }
            let isEmpty = content.last == UInt8(ascii: "/")
            let name = content.prefix { $0.isASCIIAlphanumeric }
            return Tag(
                name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty)
        }
        position = bytes.count
        return nil
    }

    private mutating func skipped(_ begin: String, until end: String) -> Bool {
        guard bytes[position...].starts(with: begin.utf8) else { return false }
        let end = Array(end.utf8)
        var index = position + begin.utf8.count
        while index < bytes.count, !bytes[index...].starts(with: end) { index += 1 }
        position = min(index + end.count, bytes.count)
        return true
    }

    private mutating func text(until name: String) throws(Failure) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&") {
                text += Array(try entity().utf8)
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                position += 1
            } else if bytes[position...].starts(with: "<![CDATA[".utf8) {
                let start = position + 9
                position += 1
                guard skipped("![CDATA[", until: "]]>") else { break }
                text += bytes[min(start, bytes.count)..<max(start, position - 3)]
            } else if bytes[position...].starts(with: "<!--".utf8) {
                // Skip the comment alone: `nextTag` would also skip the text after the comment.
                position += 1
                guard skipped("!--", until: "-->") else { break }
            } else {
                guard let tag = try nextTag(), tag.isEnd, tag.name == name else { break }
                return String(decoding: text, as: UTF8.self)
            }
        }
        throw Failure(reason: "the element \(name.quotedForMessage()) has no end")
    }

    private mutating func entity() throws(Failure) -> String {
        let names = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        let name = bytes[(position + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        position += name.count + 2
        let text = String(decoding: name, as: UTF8.self)
        if let sign = names[text] { return sign }
        let digits = text.unicodeScalars.drop { $0 == "#" || $0 == "x" }
        let radix = name.dropFirst().first == UInt8(ascii: "x") ? 16 : 10
        guard name.first == UInt8(ascii: "#"),
            let scalar = UInt32(String(digits), radix: radix).flatMap(Unicode.Scalar.init)
        else {
            throw Failure(reason: "\(("&" + text).quotedForMessage()) is no character of XML")
        }
        return String(scalar)
    }
}
