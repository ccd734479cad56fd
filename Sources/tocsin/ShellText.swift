/// Texts of commands for `/bin/sh`.
enum ShellText {
    /// A word that the shell takes as it is.
    static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// The command that opens a file or an address with what the person uses for it.
    static func opening(_ target: String) -> String {
        "exec xdg-open " + quoted(target)
    }
}
