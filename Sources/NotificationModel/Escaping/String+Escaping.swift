// The code in this folder writes text for other parsers, which read bytes or Unicode scalars. So no
// escaper compares `Character`s: an apostrophe with U+0301 after it is one `Character`, which is
// not equal to an apostrophe. Every other parser still sees the apostrophe.

extension String {
    package func replacingScalars(_ table: [Unicode.Scalar: String]) -> String {
        replacingScalars { table[$0] }
    }

    /// Replaces some of the text's scalars.
    ///
    /// If `replacement` returns nil, the scalar stays.
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

    /// Replaces some of the text's UTF-8 bytes.
    ///
    /// If `replacement` returns nil for an ASCII byte, the byte stays.
    ///
    /// `replacement` must replace each byte of at least 0x80: such a byte alone is not text.
    package func replacingBytes(_ replacement: (UInt8) -> String?) -> String {
        utf8.map { replacement($0) ?? String(Unicode.Scalar($0)) }.joined()
    }
}

/// C's escapes for backslashes, line ends and tabs, which most parsers read.
let lineEscapes: [Unicode.Scalar: String] = [
    "\\": #"\\"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#,
]

extension String {
    /// Whether both texts have the same bytes.
    ///
    /// SQLite compares bytes, but `==` also treats canonically equivalent texts as equal.
    package func hasSameBytes(as other: String) -> Bool {
        let bytes = utf8Span.span
        let others = other.utf8Span.span
        guard bytes.count == others.count else { return false }
        for place in bytes.indices where bytes[place] != others[place] { return false }
        return true
    }
}

extension UInt8 {
    /// Reads two hexadecimal digits; nil for any other text.
    ///
    /// `init(_:radix:)` would also take one digit, or a sign and a digit.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 2,
            digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
        else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    package var isASCIILetter: Bool {
        let lowercased = self | 0x20
        return UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased
    }

    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}

package func hexadecimal(
    _ number: some BinaryInteger, width: Int, uppercase: Bool = false
) -> String {
    let digits = String(number, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
