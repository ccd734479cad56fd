/// The name, icon and usage descriptions of an app, from its installed desktop file.
///
/// Source: Desktop Entry Specification 1.5, "Desktop File ID".
public struct DesktopEntry: Hashable, Sendable {
    /// The id, without `.desktop`.
    public let id: String
    /// The name in the user's language.
    public let name: String
    /// The icon, as a name from a theme or an absolute path; empty if the file names no icon.
    public let icon: String
    /// Why the app notifies, in the user's language: `X-Tocsin-UsageDescription`.
    public let usageDescription: String
    /// Why the app asks for the location, in the user's language:
    /// `X-Tocsin-LocationUsageDescription`.
    public let locationUsageDescription: String

    /// Reads the desktop file of this id; nil if none is installed.
    public init?(id: String) {
        guard let file = InstalledFile(id: id) else { return nil }
        self.id = id
        name = file.name ?? id
        icon = file.icon ?? ""
        usageDescription = file.localizedValue("X-Tocsin-UsageDescription") ?? ""
        locationUsageDescription =
            file.localizedValue("X-Tocsin-LocationUsageDescription") ?? ""
    }

    /// The command in one of Tocsin's own keys of this desktop file.
    ///
    /// The result is nil if the file or the key is missing, or if a sandboxed app wrote the file.
    public static func command(_ key: String, ofEntry id: String) -> String? {
        guard let file = InstalledFile(id: id), let command = file.value(key) else { return nil }
        return file.origin == .host ? command : nil
    }
}
