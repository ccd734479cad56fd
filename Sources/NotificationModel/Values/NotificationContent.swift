/// The texts, media and options of a notification.
public struct NotificationContent: Hashable, Sendable {
    /// The first line, sent as `summary`.
    public var title = ""
    /// A second line; on Linux the first line of the body.
    public var subtitle = ""
    /// The text; never markup.
    public var body = ""
    /// The app's badge after delivery: nil keeps it, 0 removes it.
    public var badge: Int?
    /// The sound, nil for none.
    public var sound: NotificationSound?
    /// Files to show; the first image becomes the popup's image.
    public var attachments: [NotificationAttachment] = []
    /// The app's own data, which every response returns.
    public var userInfo: [String: PropertyListValue] = [:]
    /// The identifier of the category whose actions become buttons; empty for none.
    public var categoryIdentifier = ""
    /// The content's own buttons, in place of the category's.
    public var actions: [NotificationAction] = []
    /// Whether the app gets a dismissal, even if the category does not ask for dismissals.
    public var reportsDismissal = false
    /// The name of the thread that groups this notification with others.
    public var threadIdentifier = ""
    /// The name of Apple's launch image; kept for the app, not used on Linux.
    public var launchImageName = ""
    /// The window or document that a click should open.
    public var targetContentIdentifier: String?
    /// How much the notification may interrupt.
    public var interruptionLevel = InterruptionLevel.active
    /// Apple's rank within a summary, from 0 to 1; kept for the app.
    public var relevanceScore = 0.0
    /// The text that Apple's Focus filters match; kept for the app.
    public var filterCriteria: String?
    /// The progress of a task, from 0 to 1; nil for no progress bar.
    public var progress: Double?
    /// Apple's deprecated summary argument; kept for the app.
    public var summaryArgument = ""
    /// Apple's deprecated summary count; kept for the app.
    public var summaryArgumentCount = 0
    /// The texts that are looked up in the app's localisation at delivery.
    public var localization: ContentLocalization?
    /// The hints and options from the command-line tool; nil for an app's content.
    public var desktop: DesktopOptions?

    /// Makes empty content.
    public init() {}

    /// Makes content with a title and a text.
    public init(title: String, body: String = "") {
        self.title = title
        self.body = body
    }

    /// The user-info key of the time at which `tocsin` made the request; an interval counts from
    /// this time.
    package static let creationKey = "org.tocsin.created"

    /// Whether there is anything to read.
    public var hasText: Bool {
        ![title, subtitle, body].allSatisfy { $0.allSatisfy(\.isWhitespace) }
    }

    /// Whether the notification makes a sound.
    ///
    /// As on Apple's platforms, a passive notification makes no sound, and a critical notification
    /// without a sound makes the sound of critical alerts.
    public var isAudible: Bool {
        switch interruptionLevel {
        case .passive: false
        case .active, .timeSensitive: sound != nil
        case .critical: true
        }
    }

    /// The app's category `known`, changed by the content's own buttons and `reportsDismissal`.
    ///
    /// The result is nil if the app has no such category and the content changes nothing.
    package func category(over known: NotificationCategory?) -> NotificationCategory? {
        guard !actions.isEmpty || reportsDismissal else { return known }
        var category = known ?? NotificationCategory(identifier: categoryIdentifier)
        if !actions.isEmpty { category.actions = actions }
        if reportsDismissal { category.options.insert(.customDismissAction) }
        return category
    }
}

/// How much a notification may interrupt; raw values are Apple's.
///
/// On Linux the level becomes the `urgency` hint: passive 0, active 1, critical 2. Time-sensitive
/// is 1, or 2 while Do Not Disturb is on.
public enum InterruptionLevel: UInt, Hashable, Sendable, CaseIterable {
    /// Listed without a banner.
    case passive = 0
    /// Shown at once.
    case active = 1
    /// Shown at once, and may break through Do Not Disturb.
    case timeSensitive = 2
    /// Always shown, and stays until it is dismissed.
    case critical = 3
}

/// The sound that comes with a notification.
public struct NotificationSound: Hashable, Sendable {
    /// The source of a sound.
    public enum Source: Hashable, Sendable {
        /// The desktop's own notification sound.
        case standard
        /// The desktop's own ringtone.
        case ringtone
        /// A sound of the app, by file name, or of the sound theme, by name.
        case named(String)
        /// A ringtone of the app, by file name.
        case ringtoneNamed(String)
    }

    /// The source of the sound.
    public var source: Source
    /// Whether the sound is critical, and so ignores Do Not Disturb.
    public var isCritical: Bool
    /// The volume of a critical sound, from 0 to 1; nil for the user's own volume.
    public var volume: Float?

    /// Makes a sound.
    public init(_ source: Source, isCritical: Bool = false, volume: Float? = nil) {
        self.source = source
        self.isCritical = isCritical
        self.volume = volume
    }
}

/// The sound to play for one notification, chosen when the notification is due.
public enum SoundChoice: Hashable, Sendable {
    /// The desktop's own sound.
    ///
    /// It also replaces a named file that is missing, damaged, or longer than 30 seconds.
    case standard
    /// A name for the desktop's sound theme.
    case theme(String)
    /// The file at this path.
    case file(String)
}

/// Options of the freedesktop interface, for a caller that knows this interface.
///
/// Source: Desktop Notifications Specification 1.2, "Hints" and "Notify".
public struct DesktopOptions: Hashable, Sendable {
    /// A hint of a basic type.
    public enum Hint: Hashable, Sendable {
        /// Type `b`.
        case boolean(Bool)
        /// Type `y`.
        case byte(UInt8)
        /// Type `i`.
        case integer(Int32)
        /// Type `d`.
        case double(Double)
        /// Type `s`.
        case string(String)
    }

    /// The icon in place of the app's icon: a theme name or a path.
    public var icon: String?
    /// The milliseconds after which the popup leaves the screen.
    ///
    /// With -1 the server chooses, with 0 the popup never leaves, and with nil Tocsin chooses.
    public var expireTimeout: Int32?
    /// The freedesktop category, such as `email.arrived`.
    public var category: String?
    /// The urgency 0, 1 or 2; nil for the urgency that belongs to the interruption level.
    public var urgency: UInt8?
    /// Whether the server should drop the notification from its list when the popup leaves the
    /// screen.
    public var isTransient = false
    /// Whether the request is refused, and not stored, if no server runs.
    public var requiresServer = false
    /// Whether a click on the notification itself does something; nil if that is unknown.
    ///
    /// If a click does nothing, no server should draw a button for the click.
    public var offersClick: Bool?
    /// Further hints by name.
    ///
    /// Tocsin's own hints replace hints with the same name. But if a hint names a sound that may be
    /// played, this sound replaces the content's sound.
    public var hints: [String: Hint] = [:]

    /// Makes options that change nothing.
    public init() {}
}

/// A value that a property list can hold, in `userInfo` and in attachment options.
///
/// An integer has 64 bits. A date has nanoseconds beside its `Instant`, because an app compares
/// dates for equality.
public indirect enum PropertyListValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// A date; `nanoseconds` is from 0 to 999.
    case date(Instant, nanoseconds: Int = 0)
    /// Bytes.
    case data([UInt8])
    /// Values in order.
    case array([PropertyListValue])
    /// Values by name.
    case dictionary([String: PropertyListValue])

    /// The maximum depth of arrays and dictionaries.
    ///
    /// D-Bus allows 64 levels; the message and its variants need some of them.
    public static let maximumDepth = Limits.depth.most

    /// The number of levels of arrays and dictionaries; 0 for a scalar.
    public var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .dictionary(let values): 1 + (values.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
