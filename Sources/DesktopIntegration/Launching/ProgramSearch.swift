internal import Glibc
internal import Reactor

/// Finds programs by their names, as a shell does.
struct ProgramSearch: Sendable {
    /// The directories of the system's programs.
    ///
    /// A process with special rights searches only these. Games often have such rights, so the
    /// directories of games belong here too.
    private static let systemPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

    private let directories: [String]

    /// Searches the directories of `PATH`.
    ///
    /// Relative directories are ignored, because a daemon has no meaningful working directory.
    ///
    /// If this process has more rights than its user, `PATH` is ignored. Otherwise the user could
    /// choose a directory with another program of this name, and that program would get these
    /// rights.
    init(environment: [String: String], hasSpecialRights: Bool = Subprocess.hasSpecialRights) {
        let chosen = hasSpecialRights ? nil : environment["PATH"]
        let path = chosen ?? Self.systemPath
        directories = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// The absolute path of a program; nil if it is missing or not executable.
    func path(of name: String) -> String? {
        if name.contains("/") { return isProgram(name) && name.hasPrefix("/") ? name : nil }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    private func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
