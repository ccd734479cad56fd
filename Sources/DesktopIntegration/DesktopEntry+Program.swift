extension DesktopEntry {
    /// Whether the desktop file of this id starts this very program by its key `Exec`, perhaps by
    /// way of env(1).
    ///
    /// A file that is hidden, or whose `TryExec` is not there, is as none (GIO does not show it); one
    /// with `NoDisplay` or `OnlyShowIn` counts, because these are about menus.
    public static func entry(
        _ id: String, starts executable: String, environment: [String: String]
    ) -> Bool {
        guard let entry = LaunchEntry.installed(id),
            let program = entry.program(in: ProgramSearch(environment: environment))
        else { return false }
        return program.resolvedPath == executable.resolvedPath
    }
}

extension LaunchEntry {
    /// The path of the program that `Exec` starts, or nil where that cannot be told.
    func program(in search: ProgramSearch) -> String? {
        guard var words = ExecKey.arguments(of: self)?[...] else { return nil }
        if words.first?.split(separator: "/").last == "env" {
            words = words.dropFirst().drop { $0.contains("=") }
        }
        return words.first.flatMap { search.path(of: $0) }
    }
}
