/// Bounded text without control characters: what may go to a server.
enum PlainText {
    /// The longest line, in Unicode scalars; no server shows more.
    static let lineLimit = 512
    /// The longest body, in Unicode scalars.
    static let bodyLimit = 8_192

    /// One line: line breaks become spaces.
    static func line(_ text: String) -> String {
        clean(text, limit: lineLimit, newline: " ", tab: " ")
    }

    /// Several lines: whatever breaks a line becomes a line feed.
    static func body(_ text: String) -> String {
        clean(text, limit: bodyLimit, newline: "\n", tab: "\t")
    }

    private static func clean(
        _ text: String, limit: Int, newline: Unicode.Scalar, tab: Unicode.Scalar
    ) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                result.append("…")
                break
            }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}":
                result.append(newline)
            case "\t": result.append(tab)
            default:
                if scalar.properties.generalCategory != .control { result.append(scalar) }
            }
            previous = scalar
        }
        return String(result)
    }
}
