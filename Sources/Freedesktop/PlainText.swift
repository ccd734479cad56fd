internal import NotificationModel

/// Bounded text without control characters, fit for a server.
enum PlainText {
    /// One line; line breaks become spaces.
    static func line(_ text: String) -> String {
        clean(text, limit: Limits.screenLine, newline: " ", tab: " ")
    }

    /// Several lines; every kind of line break becomes a line feed.
    static func body(_ text: String) -> String {
        clean(text, limit: Limits.screenText, newline: "\n", tab: "\t")
    }

    private static func clean(
        _ text: String, limit: Limit, newline: Unicode.Scalar, tab: Unicode.Scalar
    ) -> String {
        // Most texts are short and printable ASCII, so skip the slow check of each scalar.
        if text.utf8.count <= limit.most, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return text
        }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit.most {
                result.append("…")
                break
            }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}":
                result.append(newline)
            case "\t": result.append(tab)
            // XML has no U+FFFE and no U+FFFF: Plasma drops the rest of a body from there on.
            case "\u{FFFE}", "\u{FFFF}": break
            default:
                if scalar.properties.generalCategory != .control { result.append(scalar) }
            }
            previous = scalar
        }
        return String(result)
    }
}
