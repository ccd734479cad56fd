// Everything in this folder writes text for another parser. That parser reads bytes or Unicode
// scalars, so no escaper compares `Character`s: an apostrophe and U+0301 are one `Character` that
// equals no apostrophe, and every other parser still sees the apostrophe.

extension String {
    /// Replaces some of the text's scalars; nil keeps a scalar as it is.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = replacement(scalar) {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Writes some of the text's UTF-8 bytes in another way; nil keeps an ASCII byte as it is.
    ///
    /// Bytes from 0x80 on always need a replacement: one alone is no text.
    package func replacingBytes(_ replacement: (UInt8) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for byte in utf8 {
            if let text = replacement(byte) {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(Unicode.Scalar(byte))
            }
        }
        return String(result)
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Fixed-width hexadecimal digits of a number.
func hexadecimal(_ number: some BinaryInteger, width: Int, uppercase: Bool = false) -> String {
    let digits = String(number, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
