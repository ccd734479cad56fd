internal import CGio

/// An installed desktop file, as GIO finds it in `XDG_DATA_HOME` and `XDG_DATA_DIRS`.
///
/// Source: Desktop Entry Specification 1.5, "Desktop File ID".
public struct DesktopEntry: Hashable, Sendable {
    /// The id, without `.desktop`.
    public let id: String
    /// The name in the person's language.
    public let name: String
    /// A theme name or an absolute path; empty where it has none.
    public let icon: String
    /// Why the app notifies, in the person's language: `X-Tocsin-UsageDescription`.
    public let usageDescription: String

    /// Looks up the desktop file of this id, or nil where none is installed.
    public init?(id: String) {
        var name: UnsafeMutablePointer<CChar>?
        var icon: UnsafeMutablePointer<CChar>?
        guard cgio_desktop_entry(id + ".desktop", &name, &icon) != 0 else { return nil }
        defer {
            cgio_free(name)
            cgio_free(icon)
        }
        self.id = id
        self.name = name.map { String(cString: $0) } ?? id
        self.icon = icon.map { String(cString: $0) } ?? ""
        let usage = cgio_desktop_text(id + ".desktop", "X-Tocsin-UsageDescription")
        defer { cgio_free(usage) }
        usageDescription = usage.map { String(cString: $0) } ?? ""
    }

    /// The command that a key of ours names in the desktop file of this id.
    ///
    /// Nil where either is missing, and where the file's commands may not run on the host.
    public static func command(_ key: String, ofEntry id: String) -> String? {
        var command: UnsafeMutablePointer<CChar>?
        var file: UnsafeMutablePointer<CChar>?
        var isMarked: Int32 = 0
        guard cgio_desktop_command(id + ".desktop", key, &command, &file, &isMarked) != 0,
            let command, let file
        else { return nil }
        defer {
            cgio_free(command)
            cgio_free(file)
        }
        // The file that GIO read is the file that is judged, so nothing can be exchanged between.
        let origin = EntryOrigin(file: String(cString: file), isMarked: isMarked != 0)
        guard origin == .host else { return nil }
        let text = String(cString: command)
        return text.isEmpty ? nil : text
    }

    /// The value of a key in the desktop file of this id, or nil where either is missing.
    ///
    /// Never for a command: see `command(_:ofEntry:)`.
    static func value(_ key: String, ofEntry id: String) -> String? {
        guard let value = cgio_desktop_key(id + ".desktop", key) else { return nil }
        defer { cgio_free(value) }
        return String(cString: value)
    }
}
