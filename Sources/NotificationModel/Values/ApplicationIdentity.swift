/// An app's description of itself when it connects, for its popups and for starting it again.
public struct ApplicationIdentity: Hashable, Sendable {
    /// The id of the app's desktop file.
    public var id: ApplicationID
    /// The localised name, sent as `app_name` of `Notify`.
    ///
    /// If the name is empty, the stored identity stays, except for the program that starts the app.
    public var name: String
    /// A theme name or an absolute path, sent as `app_icon`; empty if the app has none.
    public var icon: String
    /// Whether a desktop file with this id is installed, so that `desktop-entry` may name the file.
    public var hasDesktopEntry: Bool
    /// The absolute path of the program; empty if unknown.
    public var executable: String
    /// The program's arguments, without its name.
    public var arguments: [String]
    /// The directory in which the program ran.
    public var directory: String
    /// Whether the program starts without a window.
    ///
    /// Such a program may be started for actions that do not bring the app to the front.
    public var startsInBackground = false
    /// The app's reason to notify, in its own words; shown when the user is asked for permission.
    public var usageDescription: String
    /// The app's reason to know where the device is, in its own words.
    public var locationUsageDescription = ""
    /// Whether the app can add requests only after the user allows notifications, as on Apple's
    /// platforms.
    public var needsPermission: Bool
    /// The directories of the app's localisations and sounds, in the order of the search.
    public var resources: [String]?
    /// The id that the app may have had before it got this id: `dev.` and the program's name.
    ///
    /// The data stored under that id moves to this app if both ids have the same program.
    public var formerID: ApplicationID?

    /// Makes an identity.
    public init(
        id: ApplicationID, name: String, icon: String = "", hasDesktopEntry: Bool = false,
        executable: String = "", arguments: [String] = [], directory: String = "",
        usageDescription: String = "", needsPermission: Bool = false, resources: [String]? = nil
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.hasDesktopEntry = hasDesktopEntry
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.usageDescription = usageDescription
        self.needsPermission = needsPermission
        self.resources = resources
    }

    /// The name that the user sees: the id if the app has no name.
    package var shownName: String { name.isEmpty ? id.rawValue : name }

    /// The same identity with a bounded name on one line, and without an unusable icon.
    package var cleaned: ApplicationIdentity {
        var cleaned = self
        cleaned.name = Limits.name.cut(name.unicodeScalars).replacingScalars { scalar in
            Self.breaksLines(scalar) ? " " : nil
        }
        if icon.unicodeScalars.contains(where: Self.breaksLines) { cleaned.icon = "" }
        return cleaned
    }

    private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Names an app: the id of its desktop file, without `.desktop`.
///
/// Source: Desktop Entry Specification, "Desktop File ID". The id is also a directory name and a
/// D-Bus string, so it is checked here once. It has 1 to 255 bytes, no `/`, no control characters
/// and no leading dot.
public struct ApplicationID: Hashable, Sendable, CustomStringConvertible {
    /// The id as text, `org.example.Reminders`.
    public let rawValue: String

    /// Makes an id from this text.
    ///
    /// - Throws: `invalidArgument` if the text cannot be an id; the message says why.
    public init(_ rawValue: String) throws(NotificationError) {
        guard Self.isValid(rawValue) else {
            throw NotificationError(
                .invalidArgument,
                "The application id \(rawValue.quotedForMessage()) cannot be used: an id has 1 to "
                    + "255 bytes, no '/', no control characters and no leading dot. Use the name "
                    + "of the app's desktop file without '.desktop'.")
        }
        self.rawValue = rawValue
    }

    /// The id of the command-line tool, which is an app like any other.
    public static let tocsin = ApplicationID(checked: "org.tocsin.Tocsin")

    private init(checked: String) {
        rawValue = checked
    }

    /// The id as text.
    public var description: String { rawValue }

    /// The command that allows the app to notify, for a shell.
    ///
    /// The id comes from a client. It is quoted if it has blanks or a `;`, and follows `--` if the
    /// tool would read it as an option.
    package var allowingCommand: String {
        let words =
            rawValue.hasPrefix("-") ? ["--allow", "--", rawValue] : [rawValue, "--allow"]
        return ShellQuoting.line(["tocsin", "settings"] + words)
    }

    private static func isValid(_ text: String) -> Bool {
        // U+0080 to U+009F are control characters, too, and some terminals obey them.
        (1...255).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && !text.unicodeScalars.contains {
                $0 == "/" || $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
    }
}
