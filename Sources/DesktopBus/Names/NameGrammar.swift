/// The rules of the D-Bus specification for names, byte by byte.
enum NameGrammar {
    static let nameLimit = 255

    static func isBusName(_ string: String) -> Bool {
        let bytes = string.utf8
        // The elements of a unique name may start with digits.
        let isUnique = bytes.first == UInt8(ascii: ":")
        return bytes.count <= nameLimit
            && isDotted(isUnique ? bytes.dropFirst() : bytes[...], digitsMayLead: isUnique) {
                isWord($0) || $0 == UInt8(ascii: "-")
            }
    }

    static func isInterfaceName(_ string: String) -> Bool {
        isDotted(string.utf8[...], element: isWord)
    }

    static func isMemberName(_ string: String) -> Bool {
        let bytes = string.utf8
        guard let first = bytes.first, !isDigit(first), bytes.count <= nameLimit else {
            return false
        }
        return bytes.allSatisfy(isWord)
    }

    static func isObjectPath(_ string: String) -> Bool {
        var previous: UInt8?
        for byte in string.utf8 {
            switch (previous, byte == slash) {
            case (nil, false), (slash, true): return false
            case (_, true): break
            default: guard isWord(byte) else { return false }
            }
            previous = byte
        }
        guard let previous else { return false }
        return previous != slash || string.utf8.count == 1
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private static func isDotted(
        _ bytes: Substring.UTF8View, digitsMayLead: Bool = false, element: (UInt8) -> Bool
    ) -> Bool {
        guard bytes.count <= nameLimit else { return false }
        var elements = 1
        var isStart = true
        for byte in bytes {
            if byte == dot {
                guard !isStart else { return false }
                elements += 1
                isStart = true
            } else {
                guard element(byte), digitsMayLead || !isStart || !isDigit(byte) else {
                    return false
                }
                isStart = false
            }
        }
        return elements >= 2 && !isStart
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    static func isWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || isDigit(byte) || byte == UInt8(ascii: "_")
    }
}
