extension DesktopEntry {
    /// Whether the `Exec` key in the desktop file of this id starts the program `executable`:
    /// directly, through env(1), or through the AppImage that contains the program.
    ///
    /// A hidden file, or a file whose `TryExec` program is missing, is ignored, as in GIO.
    /// `NoDisplay` and `OnlyShowIn` do not matter, because they only concern menus.
    public static func entry(
        _ id: String, starts executable: String, environment: [String: String]
    ) -> Bool {
        LaunchEntry.installed(id)?.starts(executable, environment: environment) ?? false
    }
}

extension LaunchEntry {
    /// Whether `Exec` starts this program; `environment` is the environment of the program's
    /// process.
    func starts(_ executable: String, environment: [String: String]) -> Bool {
        guard let program = program(in: ProgramSearch(environment: environment))?.resolvedPath
        else { return false }
        return program == executable.resolvedPath
            || program == Self.appImage(of: executable, environment)?.resolvedPath
    }

    /// The AppImage that contains a program; nil if no AppImage contains it.
    ///
    /// Each start mounts the AppImage at another path (`APPDIR`). The program must lie below that
    /// path, because programs outside of the AppImage may have inherited the variables.
    ///
    /// Source: AppImage documentation, "Environment variables".
    private static func appImage(
        of executable: String, _ environment: [String: String]
    ) -> String? {
        guard let mount = environment["APPDIR"]?.resolvedPath, executable.hasPrefix(mount + "/")
        else { return nil }
        return environment["APPIMAGE"]
    }

    /// The path of the program that `Exec` starts; nil if the key is unusable or no such program is
    /// found.
    func program(in search: ProgramSearch) -> String? {
        programName.flatMap { search.path(of: $0) }
    }

    /// The name or absolute path of the program that `Exec` starts, directly or through env(1); nil
    /// if the key is unusable.
    var programName: String? {
        guard var words = ExecKey.arguments(of: self)?[...] else { return nil }
        if words.first?.split(separator: "/").last == "env" {
            words = words.dropFirst().drop { $0.contains("=") }
        }
        // An option of env(1) is no program, and a relative path depends on the key `Path`.
        guard let name = words.first, !name.hasPrefix("-"),
            name.hasPrefix("/") || !name.contains("/")
        else { return nil }
        return name
    }
}
