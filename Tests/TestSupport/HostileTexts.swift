/// Texts that a parser mistakes for its own syntax if the writer does not escape them.
package enum HostileTexts {
    private static let signs = [
        "'", "\"", "\\", "$(id)", "${HOME}", "$HOME", "`id`", "%", "%c", "\n", "\r\n", "\r", "\t",
        "\0", ";", ",", ":", "=", "#", "]]>", "[", "]", "{", "&", "<b>", "<!--", ">", "*", "~",
        "-", "--", "|", " ", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9B}31m", "\u{202E}", "\u{2066}",
        "\u{2028}", "\u{FEFF}", "\u{E0041}", "END:VEVENT", "\\n", "\\x2d", "&amp;", "%2f",
    ]

    /// Each sign alone, within a word, and followed by U+0301.
    ///
    /// U+0301 forms one `Character` with most signs.
    package static let all: [String] =
        signs.flatMap { [$0, "\($0)\u{301}", "a\($0)b", "a\($0)\u{301}b\($0)"] }
        + [
            "", "plain", "ünï 日本 👩‍👩‍👧", "  edges  ", signs.joined(),
            signs.joined(separator: "\u{301}"), "\\\u{301}'\u{301}; id #",
        ]

    /// The texts that fit into a C string or a program's argument: those without NUL.
    package static let withoutNUL = all.filter { !$0.utf8.contains(0) }
}
