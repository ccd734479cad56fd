internal import DesktopBus

/// The notification that `AddNotification` takes; `PortalFiles` reads its files.
///
/// Source: https://flatpak.github.io/xdg-desktop-portal/docs/, org.freedesktop.portal.Notification,
/// versions 1 and 2.
struct PortalNotification: Hashable, Sendable {
    struct Button: Hashable, Sendable {
        var action: String
        var label: String
        /// A purpose that the desktop knows, or nil; only in version 2.
        var purpose: String?
    }

    /// The sound of a notification; only in version 2.
    enum Sound: Hashable, Sendable {
        /// The desktop's own sound.
        case standard
        case silent
        case file(String)
    }

    var title = ""
    /// Plain text.
    var body = ""
    /// The body with markup; only in version 2.
    var markupBody: String?
    var priority = "normal"
    var defaultAction: String?
    var buttons: [Button] = []
    var icon: PortalIcon?
    var sound: Sound?
    /// How the desktop displays the notification; only in version 2.
    var displayHints: [String] = []
    /// The notification's category, such as a received message; only in version 2.
    var category: String?

    /// The dictionary `a{sv}`, with the contents of the image and the sound file.
    func value(icon: BusValue?, soundFile: BusValue?) -> BusValue {
        var entries: [(String, BusValue)] = [
            ("title", .string(title)), ("body", .string(body)), ("priority", .string(priority)),
        ]
        if let markupBody { entries.append(("markup-body", .string(markupBody))) }
        if let defaultAction { entries.append(("default-action", .string(defaultAction))) }
        if !buttons.isEmpty {
            entries.append(("buttons", .array(element: "a{sv}", buttons.map(Self.value))))
        }
        if let icon { entries.append(("icon", icon)) }
        if let sound = Self.value(of: sound, file: soundFile) { entries.append(("sound", sound)) }
        if !displayHints.isEmpty { entries.append(("display-hint", .strings(displayHints))) }
        if let category { entries.append(("category", .string(category))) }
        return .vardict(entries)
    }

    private static func value(of button: Button) -> BusValue {
        var entries: [(String, BusValue)] = [
            ("label", .string(button.label)), ("action", .string(button.action)),
        ]
        if let purpose = button.purpose { entries.append(("purpose", .string(purpose))) }
        return .vardict(entries)
    }

    private static func value(of sound: Sound?, file: BusValue?) -> BusValue? {
        switch sound {
        case .standard: .string("default")
        case .silent: .string("silent")
        case .file: file ?? .string("default")
        case nil: nil
        }
    }
}
