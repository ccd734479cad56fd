/// The program with which a click opens a file or an address.
enum Opener {
    /// In the order in which they are looked for, each with what comes before the target.
    ///
    /// xdg-open asks the desktop for the user's choice; the others do so on their own desktops.
    private static let all = [
        ["xdg-open"], ["gio", "open"], ["kde-open"], ["kde-open5"], ["exo-open"],
    ]

    private static func installed(in environment: ToolEnvironment) -> [String]? {
        all.first { environment.program(named: $0[0]) != nil }
    }

    /// Whether one is installed.
    static func isInstalled(in environment: ToolEnvironment) -> Bool {
        installed(in: environment) != nil
    }

    /// The command that opens a target, `xdg-open` also where it is still to be installed.
    ///
    /// A target is an absolute path or begins with a scheme, so no program takes it for an option.
    static func command(for target: String, in environment: ToolEnvironment) -> ClickCommand {
        ClickCommand((installed(in: environment) ?? all[0]) + [target])
    }

    /// The warning where none is installed.
    static func warning(_ what: String) -> String {
        "tocsin: \(what): no program that opens files is installed. Install the package xdg-utils."
    }
}
