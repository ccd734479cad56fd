/// Bytes as text, RFC 4648 section 4, without Foundation.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                text.append(place <= group.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil if the text is not Base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<start + 4]
            let used = group.prefix { $0 != padding }
            let isLast = start + 4 == characters.count
            guard used.count == 4 || (isLast && used.count >= 2),
                group.dropFirst(used.count).allSatisfy({ $0 == padding })
            else { return nil }
            var bits: UInt32 = 0
            for byte in group {
                let value = byte == padding ? 0 : alphabet.firstIndex(of: byte)
                guard let value else { return nil }
                bits = bits << 6 | UInt32(value)
            }
            for place in 0..<used.count - 1 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place)))
            }
        }
        return bytes
    }
}
