/// The part of an installed desktop file that says who the app is.
///
/// Source: Desktop Entry Specification 1.5, "Desktop File ID".
public struct DesktopEntry: Hashable, Sendable {
    /// The id, without `.desktop`.
    public let id: String
    /// The name in the user's language.
    public let name: String
    /// A theme name or an absolute path; empty where it has none.
    public let icon: String
    /// Why the app notifies, in the user's language: `X-Tocsin-UsageDescription`.
    public let usageDescription: String

    /// Looks up the desktop file of this id, or nil where none is installed.
    public init?(id: String) {
        guard let file = InstalledFile(id: id) else { return nil }
        self.id = id
        name = file.name ?? id
        icon = file.icon ?? ""
        usageDescription = file.localizedValue("X-Tocsin-UsageDescription") ?? ""
    }

    /// The command that a key of ours names in the desktop file of this id.
    ///
    /// Nil where either is missing, and where the file's commands may not run on the host.
    public static func command(_ key: String, ofEntry id: String) -> String? {
        guard let file = InstalledFile(id: id), let command = file.value(key) else { return nil }
        return file.origin == .host ? command : nil
    }
}
