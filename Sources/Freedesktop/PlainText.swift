/// Bounded text without control characters: what may go to a server.
enum PlainText {
    /// The longest line, in Unicode scalars; no server shows more.
    static let lineLimit = 512
    /// The longest body, in Unicode scalars.
    static let bodyLimit = 8_192

    /// One line: line breaks become spaces.
    static func line(_ text: String) -> String {
        clean(text, limit: lineLimit) { $0 == "\n" || $0 == "\t" ? " " : nil }
    }

    /// Several lines.
    static func body(_ text: String) -> String {
        clean(text, limit: bodyLimit) { $0 == "\n" || $0 == "\t" ? $0 : nil }
    }

    private static func clean(
        _ text: String, limit: Int, control: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        var result = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                result.append("…")
                break
            }
            if scalar.properties.generalCategory == .control {
                if let replacement = control(scalar) { result.append(replacement) }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
