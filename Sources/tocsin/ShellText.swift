/// Texts of commands for `/bin/sh`.
enum ShellText {
    /// What the shell takes as it is.
    private static let plain = "%+,-./:=@_"

    /// A word that the shell takes as it is.
    static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// The command line of these words, with quotes around those only that need them.
    static func line(_ words: [String]) -> String {
        words.map { isPlain($0) ? $0 : quoted($0) }.joined(separator: " ")
    }

    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty
            && word.allSatisfy { $0.isLetter || $0.isNumber || plain.contains($0) }
    }
}
