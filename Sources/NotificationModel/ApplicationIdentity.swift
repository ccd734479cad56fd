/// What an app says of itself when it connects: shown with its popups, and how to start it again.
public struct ApplicationIdentity: Hashable, Sendable, Codable {
    /// The id of the app's desktop file.
    public var id: ApplicationID
    /// The localised name, sent as `app_name` of `Notify`.
    public var name: String
    /// A theme name or an absolute path, sent as `app_icon`; empty where the app has none.
    public var icon: String
    /// Whether a desktop file of this id is installed, so that `desktop-entry` may name it.
    public var hasDesktopEntry: Bool
    /// The absolute path of the program, empty where it is not known.
    public var executable: String
    /// The program's arguments, without its name.
    public var arguments: [String]
    /// The directory the program ran in.
    public var directory: String
    /// The directories of the app's localisations and sounds, the first one first.
    public var resources: [String]?

    /// Makes an identity.
    public init(
        id: ApplicationID, name: String, icon: String = "", hasDesktopEntry: Bool = false,
        executable: String = "", arguments: [String] = [], directory: String = "",
        resources: [String]? = nil
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.hasDesktopEntry = hasDesktopEntry
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.resources = resources
    }
}
