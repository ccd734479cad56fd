internal import Glibc

/// Finds programs by their names, as a shell does.
struct ProgramSearch: Sendable {
    private let directories: [String]

    /// Searches the directories of `PATH`.
    ///
    /// Relative directories do not count: a daemon has no meaningful working directory.
    init(environment: [String: String]) {
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
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
