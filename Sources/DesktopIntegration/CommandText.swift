/// A command in a desktop file, without a shell: the program and its arguments.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key". Spaces separate arguments, which may be
/// in double quotes. Within the quotes, a backslash escapes `"`, `` ` ``, `$` and `\`.
public enum CommandText {
    /// Returns the program and its arguments.
    ///
    /// The result is nil for invalid quoting, a program without an absolute path, or a part that
    /// contains NUL.
    public static func parts(of text: String) -> [String]? {
        var parts: [String] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first == " " || first == "\t" {
                rest = rest.dropFirst()
            } else if first == "\"" {
                guard let quoted = quoted(&rest) else { return nil }
                parts.append(quoted)
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\t" }
                // An argument is quoted as a whole or not at all.
                guard !word.contains("\"") else { return nil }
                parts.append(String(word))
                rest = rest[word.endIndex...]
            }
        }
        let isUsable =
            parts.first?.utf8.first == UInt8(ascii: "/")
            && !parts.contains { $0.utf8.contains(0) }
        return isUsable ? parts : nil
    }

    /// Reads a quoted argument.
    ///
    /// The function reads scalars: a quote followed by U+0301 is one `Character`, which does not
    /// equal a quote.
    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
        rest = rest.dropFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                // A closing quote must end the argument.
                let isEnd = rest.first.map { $0 == " " || $0 == "\t" } ?? true
                return isEnd ? String(text) : nil
            }
            if scalar == "\\" {
                guard let escaped = rest.popFirst(), "\"`$\\".unicodeScalars.contains(escaped)
                else { return nil }
                text.append(escaped)
            } else {
                text.append(scalar)
            }
        }
        return nil
    }
}
