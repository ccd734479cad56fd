internal import Glibc
internal import NotificationModel

/// Reads texts from standard input if the command line says `-`.
enum StandardInput {
    /// The title and the text.
    ///
    /// - A text `-` stands for all of standard input.
    /// - A title `-` stands for the first line of standard input. If no text is given, the other
    ///   lines become the text.
    ///
    /// - Throws: An error if both are `-`, or if standard input cannot be used.
    static func texts(
        _ summary: String, _ body: String,
        read: () throws(ToolError) -> [UInt8] = { () throws(ToolError) in try bytes() }
    ) throws(ToolError) -> (String, String) {
        guard summary != "-" || body != "-" else {
            throw ToolError.usage(
                "The title and the text are both '-', and standard input can be only one of them. "
                    + "Leave the second '-' out: then the first line is the title, and the other "
                    + "lines are the text.")
        }
        if body == "-" { return (summary, try text(of: read())) }
        guard summary == "-" else { return (summary, body) }
        let text = try text(of: read())
        let title = text.prefix { !$0.isNewline }
        guard !text.allSatisfy(\.isWhitespace) else { throw empty }
        let rest = text.dropFirst(title.count).drop { $0.isNewline }
        return (String(title), body.isEmpty ? String(rest) : body)
    }

    /// The error for an empty input that leaves nothing to show.
    static var empty: ToolError {
        ToolError.data("Standard input is empty, so there is nothing to show. Write a text to it.")
    }

    private static func text(of bytes: [UInt8]) throws(ToolError) -> String {
        guard Limits.standardInput.contains(bytes.count) else {
            throw ToolError.data(Limits.standardInput.excess(of: "The text on standard input"))
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError.data(
                "The text on standard input is not valid UTF-8. Convert it, for example with "
                    + "'iconv -f latin1 -t utf-8'.")
        }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    private static func bytes() throws(ToolError) -> [UInt8] {
        guard let bytes = UserFile.bytes(of: STDIN_FILENO, limit: Limits.standardInput.most) else {
            throw ToolError.data(
                "Standard input could not be read: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
