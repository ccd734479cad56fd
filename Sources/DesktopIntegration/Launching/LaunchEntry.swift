/// The keys of a desktop file that concern starting its app.
///
/// Source: Desktop Entry Specification 1.5, "Recognized desktop entry keys".
struct LaunchEntry: Hashable, Sendable {
    /// The id, without `.desktop`.
    var id: String
    var file = ""
    /// The name in the user's language.
    var name = ""
    /// The icon, as a name from a theme or a path; empty if the file names no icon.
    var icon = ""
    /// The command line with its field codes; nil if there is none, or if it must not run.
    var exec: String?
    /// The command for actions that show no window: `X-Tocsin-BackgroundExec`.
    ///
    /// The value is nil if there is no such command, or if a sandboxed app brought the file.
    var backgroundExec: String?
    /// The directory to start in; nil if the file names no directory.
    var directory: String?
    var needsTerminal = false
    /// Whether a call of `org.freedesktop.Application` starts the app.
    var isActivatable = false

    init(id: String) {
        self.id = id
    }

    /// Reads the desktop file of this id; nil if none is installed.
    static func installed(_ id: String) -> LaunchEntry? {
        guard let file = InstalledFile(id: id) else { return nil }
        let isOfHost = file.origin == .host
        var entry = LaunchEntry(id: id)
        entry.file = file.path
        entry.name = file.name ?? id
        entry.icon = file.value("Icon") ?? ""
        entry.exec = file.value("Exec")
        // The file of a sandboxed app may only start the app inside its sandbox.
        if !isOfHost, !ExecKey.entersSandbox(entry) { entry.exec = nil }
        if isOfHost {
            entry.backgroundExec = file.value("X-Tocsin-BackgroundExec")
        }
        entry.directory = file.value("Path")
        entry.needsTerminal = file.value("Terminal") == "true"
        entry.isActivatable = file.value("DBusActivatable") == "true"
        return entry
    }
}
