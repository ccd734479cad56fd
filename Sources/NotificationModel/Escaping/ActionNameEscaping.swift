/// Converts the type of a quick action to the name of an action of a desktop file, and back.
///
/// Every byte outside `A–Z a–z 0–9` becomes a hyphen and two hexadecimal digits, such as `-2E`. An
/// empty type becomes `-`. No converted type has two hyphens in a row, so the suffix `--2` can mark
/// the second action of one type.
///
/// Source: Desktop Entry Specification 1.5, "Additional applications actions".
package enum ActionNameEscaping {
    private static let hyphen = UInt8(ascii: "-")

    /// The name of the `number`th action of this type, counted from 1.
    package static func name(_ type: String, number: Int = 1) -> String {
        let name = type.replacingBytes { byte in
            byte.isASCIIAlphanumeric
                ? nil : "-" + hexadecimal(byte, width: 2, uppercase: true)
        }
        return (name.isEmpty ? "-" : name) + (number > 1 ? "--\(number)" : "")
    }

    /// The type that converts to this name; nil if no type does.
    package static func type(_ name: String) -> String? {
        var rest = Array(name.utf8)[...]
        var bytes: [UInt8] = []
        if rest.first == hyphen, rest.count == 1 || rest.dropFirst().first == hyphen {
            rest = rest.count == 1 ? [] : rest.dropFirst()
            return suffixNumber(rest) == nil && !rest.isEmpty ? nil : ""
        }
        while let byte = rest.first {
            if byte.isASCIIAlphanumeric {
                bytes.append(byte)
                rest = rest.dropFirst()
            } else if let escaped = escapedByte(rest) {
                bytes.append(escaped)
                rest = rest.dropFirst(3)
            } else {
                guard !bytes.isEmpty, suffixNumber(rest) != nil else { return nil }
                break
            }
        }
        guard !bytes.isEmpty, let type = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        return type
    }

    private static func escapedByte(_ rest: ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.dropFirst().prefix(2)
        guard rest.first == hyphen, digits.count == 2,
            digits.allSatisfy({ $0.isASCIIDigit || (0x41...0x46).contains($0) }),
            let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
            !byte.isASCIIAlphanumeric
        else { return nil }
        return byte
    }

    /// The number after two hyphens, at least 2; nil for any other text.
    private static func suffixNumber(_ rest: ArraySlice<UInt8>) -> Int? {
        let digits = rest.drop { $0 == hyphen }
        guard rest.count - digits.count == 2, digits.allSatisfy(\.isASCIIDigit),
            digits.first != UInt8(ascii: "0")
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 > 1 ? $0 : nil }
    }
}
