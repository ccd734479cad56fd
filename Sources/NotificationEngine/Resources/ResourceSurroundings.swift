/// Where the person's languages and sounds are found.
public struct ResourceSurroundings: Hashable, Sendable {
    /// The person's languages, the preferred one first, `de_DE`.
    public var languages: [String]
    /// The directories of `XDG_DATA_HOME` and `XDG_DATA_DIRS`, in order.
    public var dataDirectories: [String]

    /// Makes a value.
    public init(languages: [String] = [], dataDirectories: [String] = []) {
        self.languages = languages
        self.dataDirectories = dataDirectories
    }

    /// Reads the environment.
    ///
    /// Sources: gettext, "Locale Environment Variables"; XDG Base Directory Specification.
    public init(environment: [String: String]) {
        let home = environment["HOME"] ?? ""
        let stated = environment["XDG_DATA_HOME"] ?? ""
        let others = environment["XDG_DATA_DIRS"] ?? ""
        // The specification: a relative path is invalid and ignored.
        dataDirectories = [stated.hasPrefix("/") ? stated : home + "/.local/share"]
        dataDirectories += (others.isEmpty ? "/usr/local/share:/usr/share" : others)
            .split(separator: ":").map(String.init)
        dataDirectories.removeAll { !$0.hasPrefix("/") }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        let list = environment["LANGUAGE"] ?? ""
        // Without a locale the list of languages does not count either.
        let isPlain = locale == nil || locale == "C" || locale == "POSIX"
        languages =
            isPlain ? [] : list.split(separator: ":").map(String.init) + [locale ?? ""]
    }
}
