/// A command in a desktop file, without a shell: the program and its arguments.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key": arguments are separated by spaces, may
/// be in double quotes, and a backslash escapes `"`, `` ` ``, `$` and `\` within those.
public enum CommandText {
    /// The parts, or nil where a quote does not end or there is no absolute path at the start.
    public static func parts(of text: String) -> [String]? {
        var parts: [String] = []
        var rest = text[...]
        while let first = rest.first {
            if first == " " || first == "\t" {
                rest = rest.dropFirst()
            } else if first == "\"" {
                guard let quoted = quoted(&rest) else { return nil }
                parts.append(quoted)
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\"" }
                guard !word.isEmpty else { return nil }
                parts.append(String(word))
                rest = rest[word.endIndex...]
            }
        }
        let isUsable =
            parts.first?.hasPrefix("/") == true
            && !parts.contains { $0.utf8.contains(0) }
        return isUsable ? parts : nil
    }

    private static func quoted(_ rest: inout Substring) -> String? {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" {
                // A quote ends an argument.
                return rest.first.map { $0 == " " || $0 == "\t" } ?? true ? text : nil
            }
            if character == "\\" {
                guard let escaped = rest.popFirst(), "\"`$\\".contains(escaped) else { return nil }
                text.append(escaped)
            } else {
                text.append(character)
            }
        }
        return nil
    }
}
