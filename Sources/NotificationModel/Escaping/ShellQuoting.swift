/// Words for `/bin/sh`, and for readers that follow its rules for single quotes.
package enum ShellQuoting {
    /// A word that the shell does not change; a NUL, which no word can have, is left out.
    package static func word(_ text: String) -> String {
        "'" + text.replacingScalars(["'": #"'\''"#, "\0": ""]) + "'"
    }

    /// The command line of these words, with quotes only around those that need them.
    package static func line(_ words: [String]) -> String {
        words.enumerated().map { index, text in
            // The shell treats a first word with an equals sign as an assignment.
            let isAssignment = index == 0 && text.utf8.contains(UInt8(ascii: "="))
            return isPlain(text) && !isAssignment ? text : word(text)
        }.joined(separator: " ")
    }

    /// Whether no shell changes this word, even without quotes.
    package static func isPlain(_ word: String) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "%+,-./:=@_".utf8.contains($0) }
    }
}
