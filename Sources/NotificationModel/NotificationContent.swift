/// What a notification says and shows.
public struct NotificationContent: Hashable, Sendable {
    /// The first line, sent as `summary`.
    public var title = ""
    /// A second line; on Linux the first line of the body.
    public var subtitle = ""
    /// The text; never markup.
    public var body = ""
    /// The app's badge after delivery: nil leaves it, 0 removes it.
    public var badge: Int?
    /// The sound, nil for none.
    public var sound: NotificationSound?
    /// Files to show; the first image becomes the popup's picture.
    public var attachments: [NotificationAttachment] = []
    /// The app's own data, handed back with every response.
    public var userInfo: [String: PropertyListValue] = [:]
    /// The identifier of the category whose actions become buttons; empty for none.
    public var categoryIdentifier = ""
    /// Buttons of its own, which come in place of the category's.
    public var actions: [NotificationAction] = []
    /// Whether the app hears of a dismissal, whatever the category says.
    public var reportsDismissal = false
    /// Groups notifications.
    public var threadIdentifier = ""
    /// The name of Apple's launch image; kept for the app, not used on Linux.
    public var launchImageName = ""
    /// The window or document that a click should open.
    public var targetContentIdentifier: String?
    /// How much it may interrupt.
    public var interruptionLevel = InterruptionLevel.active
    /// From 0 to 1; sorts within a summary.
    public var relevanceScore = 0.0
    /// What Apple's Focus filters match; kept for the app.
    public var filterCriteria: String?
    /// How much of something is done, from 0 to 1; nil where it says nothing of that.
    public var progress: Double?
    /// Apple's deprecated summary argument; kept for the app.
    public var summaryArgument = ""
    /// Apple's deprecated summary count; kept for the app.
    public var summaryArgumentCount = 0
    /// Which of the texts are looked up in the app's localisation at delivery.
    public var localization: ContentLocalization?
    /// What the command-line tool's options ask of the desktop's server; nil for an app's content.
    public var desktop: DesktopOptions?

    /// Makes empty content.
    public init() {}

    /// Makes content with a title and a text.
    public init(title: String, body: String = "") {
        self.title = title
        self.body = body
    }

    /// Whether there is anything to read.
    public var hasText: Bool {
        ![title, subtitle, body].allSatisfy { $0.allSatisfy(\.isWhitespace) }
    }

    /// The category as it counts for this content, whose own buttons come first; nil where neither
    /// says anything.
    package func category(over known: NotificationCategory?) -> NotificationCategory? {
        guard !actions.isEmpty || reportsDismissal else { return known }
        var category = known ?? NotificationCategory(identifier: categoryIdentifier)
        if !actions.isEmpty { category.actions = actions }
        if reportsDismissal { category.options.insert(.customDismissAction) }
        return category
    }
}
