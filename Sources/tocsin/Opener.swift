/// The program with which a click opens a file or an address.
enum Opener {
    /// In the order in which they are looked for, each with what comes before the target.
    ///
    /// xdg-open asks the desktop for the person's choice; the others do so on their own desktops.
    private static let all = [
        ["xdg-open"], ["gio", "open"], ["kde-open"], ["kde-open5"], ["exo-open"],
    ]

    /// The shell's words of the first that is installed; nil where none is.
    static func installed(in environment: ToolEnvironment) -> String? {
        all.first { environment.hasProgram($0[0]) }?.joined(separator: " ")
    }

    /// The command that opens a target, `xdg-open` also where it is still to be installed.
    static func command(for target: String, in environment: ToolEnvironment) -> String {
        "exec \(installed(in: environment) ?? all[0][0]) \(ShellText.quoted(target))"
    }

    /// What a person is told where none is installed.
    static func warning(_ what: String) -> String {
        "tocsin: \(what): no program that opens files is installed. Install the package xdg-utils."
    }
}
