/// A quick action of an app, as the desktop's menus show it.
public struct QuickAction: Hashable, Sendable {
    /// The origin of an action.
    public enum Kind: String, Hashable, Sendable {
        /// The app's `Info.plist`.
        case fixed = "static"
        /// The running app, by `UIApplication.shortcutItems`.
        case dynamic
    }

    /// The name in the desktop file; empty before the action is written.
    public var name = ""
    /// The origin.
    public var kind: Kind
    /// The name by which the app knows the action.
    public var type: String
    /// The title.
    public var title: String
    /// The title in other languages; a key names the language as desktop files do, such as `pt_BR`.
    public var titles: [String: String] = [:]
    /// The second line, which no menu shows; empty for none.
    public var subtitle = ""
    /// A theme name or an absolute path; empty for none.
    public var icon = ""
    /// The app's own data.
    public var userInfo: [String: PropertyListValue] = [:]

    /// Makes an action.
    public init(kind: Kind, type: String, title: String) {
        self.kind = kind
        self.type = type
        self.title = title
    }
}

/// The user's choice of a quick action.
public struct QuickActionChoice: Hashable, Sendable {
    /// The action's name in the desktop file.
    public var name: String
    /// The token with which the app may raise its window; nil if the launcher gave none.
    public var activationToken: String?

    /// Makes a choice.
    public init(name: String, activationToken: String?) {
        self.name = name
        self.activationToken = activationToken
    }
}

/// A symbol that Apple draws for a quick action, with the nearest icon of the freedesktop theme.
///
/// Sources: Apple, `UIApplicationShortcutIcon.IconType`; Icon Naming Specification 0.8.90.
package enum QuickActionSymbol: String, CaseIterable, Sendable {
    case compose, play, pause, add, location, search, share, prohibit, contact, home
    case markLocation, favorite, love, cloud, invitation, confirmation, mail, message, date
    case time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle
    case audio, update

    /// Finds the symbol by the name of an SF Symbol, such as `heart.fill`; nil if unknown.
    package init?(systemName: String) {
        var words = systemName.utf8.split(separator: UInt8(ascii: ".")).map {
            String(Substring($0))
        }
        // Try the longest name first: `checkmark.circle` means something else than `checkmark`.
        while true {
            let name = words.joined(separator: ".")
            if let symbol = Self.allCases.first(where: { $0.names.symbols.contains(name) }) {
                self = symbol
                return
            }
            guard let last = words.popLast(), Self.variants.contains(last) else { return nil }
        }
    }

    /// The symbol of a value in an `Info.plist`: `UIApplicationShortcutIconTypeCompose`.
    package init?(propertyListName: String) {
        let symbol = Self.allCases.first { symbol in
            let first = symbol.rawValue.prefix(1).uppercased()
            return propertyListName
                == "UIApplicationShortcutIconType" + first + symbol.rawValue.dropFirst()
        }
        guard let symbol else { return nil }
        self = symbol
    }

    package var iconName: String { names.icon }

    private static let variants: Set<String> = ["fill", "circle", "square", "2", "badge"]

    private var names: (icon: String, symbols: [String]) {
        switch self {
        case .compose: ("document-new", ["square.and.pencil", "pencil"])
        case .play: ("media-playback-start", ["play"])
        case .pause: ("media-playback-pause", ["pause"])
        case .add: ("list-add", ["plus"])
        case .location: ("find-location", ["location"])
        case .search: ("edit-find", ["magnifyingglass"])
        case .share: ("document-send", ["square.and.arrow.up"])
        case .prohibit: ("process-stop", ["nosign", "xmark"])
        case .contact: ("avatar-default", ["person", "person.crop"])
        case .home: ("go-home", ["house"])
        case .markLocation: ("mark-location", ["mappin", "mappin.and.ellipse"])
        case .favorite: ("starred", ["star"])
        case .love: ("emblem-favorite", ["heart"])
        case .cloud: ("weather-overcast", ["cloud"])
        case .invitation: ("appointment-new", ["envelope.open"])
        case .confirmation: ("emblem-default", ["checkmark"])
        case .mail: ("mail-unread", ["envelope"])
        case .message: ("mail-message-new", ["message", "bubble.left", "text.bubble"])
        case .date: ("x-office-calendar", ["calendar"])
        case .time: ("appointment-soon", ["clock"])
        case .capturePhoto: ("camera-photo", ["camera"])
        case .captureVideo: ("camera-video", ["video"])
        case .task: ("task-due", ["circle", "list.bullet"])
        case .taskCompleted: ("task-complete", ["checkmark.circle", "checkmark.square"])
        case .alarm: ("alarm-symbolic", ["alarm", "bell", "timer"])
        case .bookmark: ("user-bookmarks", ["bookmark"])
        case .shuffle: ("media-playlist-shuffle", ["shuffle"])
        case .audio: ("audio-x-generic", ["music.note", "speaker", "speaker.wave"])
        case .update: ("view-refresh", ["arrow.clockwise", "arrow.triangle.2.circlepath"])
        }
    }
}
