extension DesktopEntry {
    /// Whether the desktop file of this id starts this very program by its `Exec` key, perhaps
    /// through env(1).
    ///
    /// A hidden file, or a file whose `TryExec` program is missing, counts as not installed, as in
    /// GIO. `NoDisplay` and `OnlyShowIn` do not matter, because they only concern menus.
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
    /// The path of the program that `Exec` starts; nil if the key is unusable or no such program is
    /// found.
    func program(in search: ProgramSearch) -> String? {
        guard var words = ExecKey.arguments(of: self)?[...] else { return nil }
        if words.first?.split(separator: "/").last == "env" {
            words = words.dropFirst().drop { $0.contains("=") }
        }
        return words.first.flatMap { search.path(of: $0) }
    }
}
