internal import NotificationModel
internal import NotificationSchedule
internal import Reactor

/// The apps that have a desktop file.
///
/// Sources: Desktop Entry Specification 1.5, "Desktop File ID"; XDG Base Directory Specification.
struct InstalledApps {
    struct App: Hashable {
        var id: ApplicationID
        var name: String
        /// Whether menus show the app.
        ///
        /// Menus leave out a part of another app, and an app that only opens files.
        var isShown: Bool
        /// Whether Flatpak or snapd exported the file; such an app has to ask for permission.
        var isSandboxed: Bool
    }

    private static let suffix = ".desktop"
    private static let maximumDepth = 4

    let apps: [App]

    /// Searches the data directories of this user, then those of the system.
    ///
    /// If several files have the same id, only the first file is used.
    init(in environment: ToolEnvironment) {
        let stated = environment.variable("XDG_DATA_DIRS") ?? ""
        let system = stated.isEmpty ? "/usr/local/share:/usr/share" : stated
        let folders =
            [environment.dataDirectory()].compactMap(\.self)
            + system.split(separator: ":").map(String.init)
        var found: [ApplicationID: App] = [:]
        for folder in folders where folder.hasPrefix("/") {
            for name in Self.files(below: folder + "/applications", depth: 0) {
                let identifier = String(name.dropLast(Self.suffix.count))
                    .replacing("/", with: "-")
                guard let id = try? ApplicationID(identifier), found[id] == nil,
                    let text = UserFile.text("\(folder)/applications/\(name)")
                else { continue }
                found[id] = Self.app(id, text)
            }
        }
        apps = found.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    private static func app(_ id: ApplicationID, _ text: String) -> App {
        var values: [Substring: Substring] = [:]
        var isEntry = false
        for part in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = Substring(part.last == UInt8(ascii: "\r") ? part.dropLast() : part)
            if line.utf8.first == UInt8(ascii: "[") { isEntry = line == "[Desktop Entry]" }
            guard isEntry, let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                continue
            }
            let key = Substring(line.utf8[..<equals].prefix { $0 != UInt8(ascii: " ") })
            let value = Substring(
                line.utf8[equals...].dropFirst().drop { $0 == UInt8(ascii: " ") })
            if values[key] == nil { values[key] = value }
        }
        let isHidden = values["NoDisplay"] == "true" || values["Hidden"] == "true"
        return App(
            id: id, name: TerminalEscaping.line(String(values["Name"] ?? "")),
            isShown: !isHidden && (values["Type"] ?? "Application") == "Application",
            isSandboxed: ["X-Flatpak", "X-SnapInstanceName", "X-SnapAppName"]
                .contains { values[$0] != nil })
    }

    /// The paths of the desktop files below a directory, relative to that directory.
    private static func files(below folder: String, depth: Int) -> [String] {
        guard depth < maximumDepth else { return [] }
        var result: [String] = []
        for name in Directory.names(in: folder)?.sorted() ?? [] where !name.hasPrefix(".") {
            if name.hasSuffix(suffix) {
                result.append(name)
            } else {
                result += files(below: "\(folder)/\(name)", depth: depth + 1)
                    .map { "\(name)/\($0)" }
            }
        }
        return result
    }
}

extension InstalledApps {
    /// The id that the user probably meant by an unknown id; nil if no id is similar.
    ///
    /// Users who do not know an app's id enter its displayed name, or the last part of the id.
    func idMeant(by app: ApplicationID, known: [ApplicationPermission]) -> String? {
        let all =
            known.map { ($0.app.rawValue, $0.name) }
            + apps.filter(\.isShown).map { ($0.id.rawValue, $0.name) }
        let word = app.rawValue.lowercased()
        let meant = all.first { id, name in
            let id = id.lowercased()
            return id == word || name.lowercased() == word || id.hasSuffix("." + word)
        }
        return meant?.0 ?? KnownWords.hint(for: app.rawValue, among: all.map(\.0))
    }
}
