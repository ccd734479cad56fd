/// Texts of the command line before anything else looks at them.
enum ArgumentText {
    /// The arguments, or the error that names one which is not UTF-8.
    ///
    /// Swift repairs such arguments with U+FFFD, so the bytes are read only where one occurs.
    static func checked(
        _ arguments: [String], bytes: () -> [ArraySlice<UInt8>]
    ) throws(ToolError) -> [String] {
        guard arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
            return arguments
        }
        for (index, raw) in bytes().enumerated() where String(validating: raw, as: UTF8.self) == nil
        {
            throw ToolError(
                .usage,
                "Argument \(index) is not valid UTF-8. Convert the text, for example with "
                    + "'iconv -f latin1 -t utf-8'.")
        }
        return arguments
    }

    /// The text without control characters, which no server shows and D-Bus may refuse; line feeds
    /// and tabs stay.
    static func cleaned(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnwanted) else { return text }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text.unicodeScalars.filter { !isUnwanted($0) })
        return String(result)
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\t")
            || (0x7F...0x9F).contains(scalar.value)
    }
}
