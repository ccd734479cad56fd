/// What is known of one desktop: its notification server, its settings, its locker.
public struct Desktop: Sendable {
    /// The server's name, as `GetServerInformation` reports it.
    public var server: String
    /// Its vendor, as reported there, where another server has the same name.
    public var vendor: String?
    /// What people call the desktop.
    public var name: String
    /// How its server differs from the specification; of several the newest comes first.
    public var traits: [ServerTraits] = []
    /// Where its settings are written.
    public var source = ""
    /// Where it says whether Do Not Disturb is on.
    public var silence: SilenceSource?
    /// Where it keeps its switches of apps.
    public var switches: SwitchSource?
    /// What opens its settings: commands in order of preference, of which one is installed; `@` is
    /// the app's id.
    public var pages: [[String]] = []
    /// Who says whether the session is locked.
    public var locker: Locker?

    /// Whether its settings are read by the program `gsettings`.
    public var usesGSettings: Bool {
        if case .setting = silence { return true }
        return switches == .gnome
    }

    /// How the server of this version differs from the specification.
    public func traits(of version: String) -> ServerTraits {
        traits.first { $0.since <= ServerVersion(version) } ?? ServerTraits()
    }
}

/// Where a desktop says whether Do Not Disturb is on.
public enum SilenceSource: Hashable, Sendable {
    /// A property of type `b` of a program on the session bus.
    case property(String, interface: String, path: String, bus: String)
    /// A method of such a program, without arguments, that answers with `b`.
    case method(String, interface: String, path: String, bus: String)
    /// The same, that answers with `as`, which has this text while it is on.
    case member(String, of: String, interface: String, path: String, bus: String)
    /// A property of Xfconf.
    case xfconf(channel: String, property: String)
    /// A GSettings key, and the text of its value while Do Not Disturb is on.
    case setting(schema: String, key: String, isOnAt: String)
    /// A key of a file in the person's folder of configuration, which is `true` while it is on.
    case file(path: String, group: String, key: String)

    /// What is asked for, as the article on desktops says it.
    public var words: String {
        switch self {
        case .property(let name, _, _, _): "the property `\(name)`"
        case .method(let name, let interface, _, _): "`\(name)` of `\(interface)`"
        case .member(let text, let name, _, _, _): "`\(name)`: a mode named `\(text)`"
        case .xfconf(let channel, let property): "Xfconf `\(channel) \(property)`"
        case .setting(let schema, let key, _): "GSettings `\(schema) \(key)`"
        case .file(let path, let group, let key): "`\(path)`, `[\(group)] \(key)`"
        }
    }
}

/// Where a desktop keeps the switches of its apps.
public enum SwitchSource: Hashable, Sendable {
    /// GSettings `org.gnome.desktop.notifications.application`, at a path for each app.
    case gnome
    /// The file `plasmanotifyrc`.
    case plasma
    /// The Xfconf channel `xfce4-notifyd`.
    case xfce
}

/// A program on the session bus that says whether the session is locked.
///
/// All of them have the members of the first gnome-screensaver, `GetActive` and `ActiveChanged`. What
/// "active" means differs, and what tells a picture from a lock cannot be asked. So active counts as
/// locked everywhere: while a screen saver runs nobody reads a popup, and where no password is
/// needed the first movement ends it, and that is told, too.
public struct Locker: Hashable, Sendable {
    /// Its name on the bus, which is its interface's, too; its path has the same parts.
    public var bus: String
    /// What it means by "active", and where that is written.
    public var source: String
}
