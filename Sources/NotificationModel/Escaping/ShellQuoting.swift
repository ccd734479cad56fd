/// Words for `/bin/sh`, and for readers that follow its rules for single quotes.
package enum ShellQuoting {
    /// The text as one word that the shell does not change.
    ///
    /// NULs are left out, because no word can have them.
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

    /// Whether this word needs no quotes as an argument of a command.
    package static func isPlain(_ word: String) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "%+,-./:=@_".utf8.contains($0) }
    }
}
