/// The rules of the D-Bus specification for signatures.
enum SignatureGrammar {
    static let lengthLimit = 255
    static let depthLimit = 32

    static func isValid(_ string: String) -> Bool {
        let bytes = Array(string.utf8)
        guard bytes.count <= lengthLimit else { return false }
        var position = 0
        while position < bytes.count {
            guard let end = endOfType(bytes, from: position) else { return false }
            position = end
        }
        return true
    }

    static func isSingleType(_ string: String) -> Bool {
        let bytes = Array(string.utf8)
        guard bytes.count <= lengthLimit else { return false }
        return endOfType(bytes, from: 0) == bytes.count
    }

    /// The complete types of a valid signature.
    static func split(_ string: String) -> [String] {
        let bytes = Array(string.utf8)
        var types: [String] = []
        var position = 0
        while let end = endOfType(bytes, from: position) {
            types.append(String(decoding: bytes[position..<end], as: UTF8.self))
            position = end
        }
        return types
    }

    static func isBasic(_ code: UInt8) -> Bool {
        switch code {
        case UInt8(ascii: "y"), UInt8(ascii: "b"), UInt8(ascii: "n"), UInt8(ascii: "q"),
            UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "t"),
            UInt8(ascii: "d"), UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"),
            UInt8(ascii: "h"):
            true
        default: false
        }
    }

    /// The position after the complete type at `start`, nil if there is none.
    static func endOfType(
        _ bytes: [UInt8], from start: Int, arrays: Int = 0, structures: Int = 0
    ) -> Int? {
        guard start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "v"):
            return start + 1
        case UInt8(ascii: "a"):
            guard arrays < depthLimit else { return nil }
            if start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") {
                return endOfEntry(
                    bytes, from: start + 1, arrays: arrays + 1, structures: structures)
            }
            return endOfType(bytes, from: start + 1, arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("):
            guard structures < depthLimit else { return nil }
            var position = start + 1
            while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
                let end = endOfType(
                    bytes, from: position, arrays: arrays, structures: structures + 1)
                guard let end else { return nil }
                position = end
            }
            guard position < bytes.count, position > start + 1 else { return nil }
            return position + 1
        case let code:
            return isBasic(code) ? start + 1 : nil
        }
    }

    private static func endOfEntry(
        _ bytes: [UInt8], from start: Int, arrays: Int, structures: Int
    ) -> Int? {
        guard structures < depthLimit, start + 1 < bytes.count, isBasic(bytes[start + 1]) else {
            return nil
        }
        let end = endOfType(bytes, from: start + 2, arrays: arrays, structures: structures + 1)
        guard let end, end < bytes.count, bytes[end] == UInt8(ascii: "}") else { return nil }
        return end + 1
    }
}
