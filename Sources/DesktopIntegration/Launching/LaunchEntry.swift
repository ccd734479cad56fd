internal import CGio

/// What a desktop file says about starting its app.
///
/// Source: Desktop Entry Specification 1.5, "Recognized desktop entry keys".
struct LaunchEntry: Hashable, Sendable {
    /// The id, without `.desktop`.
    var id: String
    /// The path of the file.
    var file = ""
    /// The name in the person's language.
    var name = ""
    /// A theme name or a path; empty where it has none.
    var icon = ""
    /// The command line, with its field codes; nil where it has none.
    var exec: String?
    /// The program and the arguments that do the work of actions which show no window:
    /// `X-Tocsin-BackgroundExec`.
    var backgroundExec: String?
    /// The directory to start in; nil for none in particular.
    var directory: String?
    /// Whether the program needs a terminal.
    var needsTerminal = false
    /// Whether the app is started by a call of `org.freedesktop.Application`.
    var isActivatable = false

    /// Makes an entry; tests give each value.
    init(id: String) {
        self.id = id
    }

    /// Looks up the desktop file of this id, or nil where none is installed.
    static func installed(_ id: String) -> LaunchEntry? {
        guard let known = DesktopEntry(id: id) else { return nil }
        func value(_ key: String) -> String? {
            DesktopEntry.value(key, ofEntry: id).flatMap { $0.isEmpty ? nil : $0 }
        }
        var entry = LaunchEntry(id: id)
        entry.file = file(of: id)
        entry.name = known.name
        entry.icon = value("Icon") ?? ""
        entry.exec = execLine(of: id)
        entry.backgroundExec = DesktopEntry.command("X-Tocsin-BackgroundExec", ofEntry: id)
        entry.directory = value("Path")
        entry.needsTerminal = value("Terminal") == "true"
        entry.isActivatable = value("DBusActivatable") == "true"
        return entry
    }

    /// The key `Exec`; of a sandbox's file only where it enters that sandbox.
    private static func execLine(of id: String) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var file: UnsafeMutablePointer<CChar>?
        var isMarked: Int32 = 0
        guard cgio_desktop_command(id + ".desktop", "Exec", &line, &file, &isMarked) != 0,
            let line, let file
        else { return nil }
        defer {
            cgio_free(line)
            cgio_free(file)
        }
        let text = String(cString: line)
        let origin = EntryOrigin(file: String(cString: file), isMarked: isMarked != 0)
        return text.isEmpty || origin == .sandbox && !ExecKey.entersSandbox(text) ? nil : text
    }

    private static func file(of id: String) -> String {
        guard let path = cgio_desktop_file(id + ".desktop") else { return "" }
        defer { cgio_free(path) }
        return String(cString: path)
    }
}
