internal import CGio

/// An installed desktop file, as GIO finds it in `XDG_DATA_HOME` and `XDG_DATA_DIRS`.
///
/// GIO reads the file once. All values therefore come from one version of the file, even if a
/// package manager replaces the file.
struct InstalledFile: ~Copyable {
    private let entry: OpaquePointer

    /// Opens the desktop file of this id; nil if none is installed.
    init?(id: String) {
        guard let entry = cgio_entry_open(id + ".desktop") else { return nil }
        self.entry = entry
    }

    deinit { cgio_entry_close(entry) }

    /// The name in the user's language.
    var name: String? { cgio_entry_name(entry).map { String(cString: $0) } }

    var path: String { cgio_entry_file(entry).map { String(cString: $0) } ?? "" }

    /// The icon, as a name from a theme or an absolute path; nil if the file names no icon.
    var icon: String? { Self.text(cgio_entry_icon(entry)) }

    /// Whether the commands of the file may run on the host.
    var origin: EntryOrigin {
        let marks = ["X-Flatpak", "X-SnapInstanceName", "X-SnapAppName"]
        return EntryOrigin(
            file: path, isMarked: marks.contains { cgio_entry_has_key(entry, $0) })
    }

    /// The value of a key; nil if the key is missing or its value is empty.
    ///
    /// Check `origin` before you use a command from the file.
    func value(_ key: String) -> String? { Self.text(cgio_entry_value(entry, key)) }

    /// The value of a key in the user's language; nil if the key is missing or its value is empty.
    func localizedValue(_ key: String) -> String? {
        Self.text(cgio_entry_localized_value(entry, key))
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
        guard let pointer else { return nil }
        defer { cgio_free(pointer) }
        let text = String(cString: pointer)
        return text.isEmpty ? nil : text
    }
}
