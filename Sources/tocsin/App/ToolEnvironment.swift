internal import CenterInterface
internal import Glibc
internal import NotificationModel
internal import NotificationSchedule
internal import Reactor

/// The tool's surroundings: variables, working directory, time of the call and time zone.
///
/// No other type reads the surroundings. This type ignores variables that belong to another user,
/// and reads a zone file only for a command that needs dates.
struct ToolEnvironment {
    /// The moment at which the tool was called.
    var now: Instant
    var reactor: Reactor
    private let givenZone: ZoneRules?
    private let givenVariables: [String: String]?
    /// The directory in which the tool was called.
    let directory: String
    /// Decides which variables belong to this user.
    let owner: EnvironmentOwner

    /// All variables that belong to this user.
    var variables: [String: String] {
        if let givenVariables { return givenVariables }
        return Self.variables().merging(owner.values) { $1 }.filter {
            !owner.ignored.contains($0.key)
        }
    }

    var zone: ZoneRules { givenZone ?? .system }

    /// Uses the values of this process for the parameters that the caller leaves out.
    init(
        variables: [String: String]? = nil, directory: String = Self.workingDirectory(),
        now: Instant = Self.now(), zone: ZoneRules? = nil, reactor: Reactor
    ) {
        givenVariables = variables
        owner = variables == nil ? EnvironmentOwner(variable: Self.inherited) : EnvironmentOwner()
        self.directory = directory
        self.now = now
        self.reactor = reactor
        givenZone = zone
    }

    func variable(_ name: String) -> String? {
        if let givenVariables { return givenVariables[name] }
        if owner.ignored.contains(name) { return nil }
        if let value = owner.values[name] { return value }
        return Self.inherited(name)
    }

    /// The language of the texts that the tool adds to popups.
    var language: WordingLanguage { .first(of: LanguageName.preferred(variable)) }

    private static func inherited(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private var zoneDirectory: ZoneDirectory {
        ZoneDirectory(environment: variables, files: .system, report: { _ in })
    }

    /// The rules of the named zone; nil for an unknown name.
    ///
    /// Without a name, the result is the rules of the user's zone.
    func rules(named name: String?) -> ZoneRules? {
        var directory = zoneDirectory
        if let name { return directory.rules(named: name) }
        return directory.rulesOrUTC(named: localZone().name)
    }

    /// The IANA name of the user's zone, and the source of that name.
    func localZone() -> (name: String, source: String) {
        var directory = zoneDirectory
        if let name = LocalZone.fixed(environment: variables, directory: &directory) {
            return (name, "the variable TZ")
        }
        return (LocalZone.ofSystem(files: .system, directory: &directory), "the system's files")
    }

    /// The zone that `TZ` names; nil if `TZ` names no zone, or a zone with the system's rules.
    func zoneOfVariable() -> String? {
        var directory = zoneDirectory
        guard let name = LocalZone.fixed(environment: variables, directory: &directory) else {
            return nil
        }
        let system = LocalZone.ofSystem(files: .system, directory: &directory)
        let rules = directory.rules(named: name)
        return rules == directory.rules(named: system) ? nil : name
    }

    /// The rules of the system's zone, which a program without `TZ` uses.
    func zoneOfSystem() -> ZoneRules {
        var directory = zoneDirectory
        let name = LocalZone.ofSystem(files: .system, directory: &directory)
        return directory.rulesOrUTC(named: name)
    }

    func hasProgram(_ name: String) -> Bool { program(named: name) != nil }

    /// The path of a program; nil if no directory of `PATH` has it.
    ///
    /// An absolute path stays unchanged. A relative path gives nil, and relative directories of
    /// `PATH` are ignored, because a later click may have another working directory.
    func program(named name: String) -> String? {
        if name.utf8.first == UInt8(ascii: "/") { return name }
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.isEmpty else { return nil }
        return (variable("PATH") ?? "").split(separator: ":").lazy
            .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 && UserFile.isRegular($0) }
    }

    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return directory.hasSuffix("/") ? directory + path : directory + "/" + path
    }

    /// The one absolute path of all spellings of a path: without links, `..`, and slashes at its
    /// end.
    ///
    /// If nothing is there, it is the absolute path as given.
    func canonical(_ path: String) -> String {
        let whole = absolute(path)
        guard let found = realpath(whole, nil) else { return whole }
        defer { free(found) }
        return String(cString: found)
    }

    /// Makes the path of a file absolute; keeps any other text, such as a theme name or a URI.
    ///
    /// The path is absolute, because the daemon has another working directory. A text without a
    /// slash means a file only if it has one of the endings, and the file exists. A dot alone is
    /// not enough, because icon names such as `org.gnome.Calendar` have dots. An existing file
    /// alone is not enough, because any file may have an icon's name.
    func fileOrName(_ text: String, endings: [String]) -> String {
        let lower = text.lowercased()
        let isPath = text.contains("/") && !text.contains("://") && !lower.hasPrefix("file:")
        let hasEnding = endings.contains { lower.hasSuffix($0) }
        let isFile = isPath || hasEnding && UserFile.isRegular(absolute(text))
        return isFile ? absolute(text) : text
    }

    /// The directory of the tool's own state; nil if neither `XDG_STATE_HOME` nor `HOME` is an
    /// absolute path.
    func stateDirectory() -> String? {
        baseDirectory("XDG_STATE_HOME", usual: ".local/state").map { $0 + "/tocsin" }
    }

    /// A directory of the XDG Base Directory Specification.
    ///
    /// As the specification demands, a variable with a relative path is ignored.
    private func baseDirectory(_ name: String, usual: String) -> String? {
        if let stated = variable(name), stated.hasPrefix("/") { return stated }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/" + usual
    }

    /// The directory where requests wait for the daemon of a later session; nil if there is no
    /// state directory.
    ///
    /// Its parent, which also has the daemon's store, is named after the machine (machine-id(5)).
    func inbox() -> String? {
        let machine = UserFile.text("/etc/machine-id")?.split(whereSeparator: \.isWhitespace).first
        return stateDirectory().map { "\($0)/\(machine ?? "local")/\(Inbox.name)" }
    }

    /// The directory of this user's data for other programs; nil if neither `XDG_DATA_HOME` nor
    /// `HOME` is an absolute path.
    func dataDirectory() -> String? {
        baseDirectory("XDG_DATA_HOME", usual: ".local/share")
    }

    /// The absolute path of a regular file; nil if there is no such file.
    ///
    /// It resolves links in the directories, but not a link in the last component. A program may
    /// choose its task by the link's name, and an upgrade may change the link's target.
    func real(_ path: String) -> String? {
        let whole = absolute(path)
        guard let slash = whole.lastIndex(of: "/"),
            let folder = realpath(String(whole[...slash]), nil)
        else { return nil }
        defer { free(folder) }
        let place = String(cString: folder)
        let result = (place == "/" ? "" : place) + whole[slash...]
        var status = stat()
        return stat(result, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? result : nil
    }

    static func now() -> Instant {
        Instant(microseconds: timespec.now(on: CLOCK_REALTIME).microseconds)
    }

    private static func workingDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func variables() -> [String: String] {
        var result: [String: String] = [:]
        for entry in ProcessFile.strings("/proc/self/environ") {
            let text = String(decoding: entry, as: UTF8.self)
            guard let equals = text.firstIndex(of: "=") else { continue }
            result[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return result
    }
}

/// The endings of file names, for options that take a file or a name of a theme.
enum FileEndings {
    static let images = [
        ".png", ".svg", ".svgz", ".jpg", ".jpeg", ".gif", ".webp", ".xpm", ".ico",
    ]
    static let sounds = [".oga", ".ogg", ".opus", ".wav", ".mp3", ".flac"]
}

/// Files of `/proc/self` that contain texts, each with a NUL at its end.
enum ProcessFile {
    /// The texts as bytes; empty if the file cannot be read.
    static func strings(_ path: String) -> [ArraySlice<UInt8>] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = UserFile.bytes(of: descriptor) ?? []
        if bytes.last == 0 { bytes.removeLast() }
        return bytes.isEmpty
            ? [] : bytes.split(separator: 0, omittingEmptySubsequences: false)
    }
}
