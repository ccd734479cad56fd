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

    static func isBasic(_ code: UInt8) -> Bool {
        "ybnqiuxtdsogh".utf8.contains(code)
    }

    /// The position after the complete type at `start`; nil if no complete type begins there.
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
