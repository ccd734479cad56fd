/// The programs that give another program a terminal, in search order.
///
/// Source: GLib 2.76, gio/gdesktopappinfo.c, `prepend_terminal_to_vector`.
enum TerminalProgram {
    static let all: [(name: String, options: [String])] = [
        ("xdg-terminal-exec", []), ("kgx", ["-e"]), ("gnome-terminal", ["--"]),
        ("mate-terminal", ["-x"]), ("xfce4-terminal", ["-x"]), ("tilix", ["-e"]),
        ("konsole", ["-e"]), ("nxterm", ["-e"]), ("color-xterm", ["-e"]), ("rxvt", ["-e"]),
        ("dtterm", ["-e"]), ("x-terminal-emulator", ["-e"]), ("xterm", ["-e"]),
    ]

    /// The arguments that run a program in a terminal; nil if no terminal is installed.
    static func around(
        _ arguments: [String], in search: ProgramSearch
    ) -> [String]? {
        for (name, options) in all {
            if let path = search.path(of: name) { return [path] + options + arguments }
        }
        return nil
    }
}
