public import Intents
internal import NotificationModel

/// A notification's texts and options; make a ``UNMutableNotificationContent`` to fill them.
///
/// Content that an app receives is immutable, so it is `@unchecked Sendable`, like every class
/// here. Mutable content follows Apple's rule: only one thread at a time uses it. A request copies
/// the content.
///
/// Setting a value never fails: `add` checks all values and reports unusable ones.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
    @unchecked Sendable
{
    var values: ContentValues

    /// Makes empty content.
    public override init() {
        values = ContentValues()
    }

    convenience init(values: ContentValues) {
        self.init()
        self.values = values
    }

    /// The files to show; the popup shows the first image.
    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// The number on the app's icon after delivery; nil leaves the number as it is, 0 removes it.
    open var badge: NSNumber? { values.badge }
    /// The text, which is never read as markup.
    open var body: String { values.model.body }
    /// The identifier of the category whose actions become buttons; empty for none.
    open var categoryIdentifier: String { values.model.categoryIdentifier }
    /// The text that Apple's Focus filters match; stored without effect.
    open var filterCriteria: String? { values.model.filterCriteria }
    /// How much the notification may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// The name of Apple's launch image; stored without effect.
    open var launchImageName: String { values.model.launchImageName }
    /// A score from 0 to 1, by which Apple sorts a summary; stored without effect.
    open var relevanceScore: Double { values.model.relevanceScore }
    /// The sound; nil for none.
    open var sound: UNNotificationSound? { values.sound }
    /// The text between title and body; on Linux the first line of the popup's text.
    open var subtitle: String { values.model.subtitle }
    /// Apple's old summary argument; stored without effect.
    @available(*, deprecated, message: "summaryArgument is ignored.")
    open var summaryArgument: String { values.model.summaryArgument }
    /// Apple's old summary count; stored without effect.
    @available(*, deprecated, message: "summaryArgumentCount is ignored.")
    open var summaryArgumentCount: Int { values.model.summaryArgumentCount }
    /// The window or document that the app should open after a click.
    open var targetContentIdentifier: String? { values.model.targetContentIdentifier }
    /// The group of the notification.
    open var threadIdentifier: String { values.model.threadIdentifier }
    /// The title, above all other texts.
    open var title: String { values.model.title }
    /// The app's own data, returned with every response; only property-list values are allowed.
    open var userInfo: [AnyHashable: Any] { values.userInfo }

    /// Content in the form of a message or a call: the sender's name becomes the title.
    ///
    /// Only the system's providers are allowed: a message or call intent, or a
    /// ``UNNotificationAttributedMessageContext``. The result is a
    /// ``UNMutableNotificationContent``, as on Apple's platforms: many apps cast it with `as!`.
    ///
    /// - Throws: `UNError.contentProvidingObjectNotAllowed` for any other provider, and
    ///   `contentProvidingInvalid` for a provider without a name, as on Apple's platforms.
    open func updating(
        from provider: any UNNotificationContentProviding
    ) throws -> UNNotificationContent {
        var updated = values
        try updated.update(from: provider)
        return UNMutableNotificationContent(values: updated)
    }

    /// Returns this content if it is immutable; otherwise an immutable copy.
    ///
    /// A request therefore keeps an object of an app's own subclass, as on Apple's platforms.
    open func copy(with zone: NSZone? = nil) -> Any {
        self is UNMutableNotificationContent ? UNNotificationContent(values: values) : self
    }

    /// A ``UNMutableNotificationContent`` with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        UNMutableNotificationContent(values: values)
    }

    /// Whether the object is content with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationContent)?.values == values
    }

    /// A hash of the content's values; contents that are equal have the same hash.
    open override var hash: Int { values.model.hashValue }

    /// The class, the address and the values, without the app's own data, as on Apple's platforms.
    open override var description: String {
        func text(_ text: String) -> String? { text.isEmpty ? nil : text }
        let model = values.model
        return describe([
            ("title", text(model.title)), ("subtitle", text(model.subtitle)),
            ("body", text(model.body)), ("summaryArgument", text(model.summaryArgument)),
            ("summaryArgumentCount", model.summaryArgumentCount),
            ("categoryIdentifier", model.categoryIdentifier),
            ("launchImageName", model.launchImageName),
            ("threadIdentifier", model.threadIdentifier),
            ("attachments", values.attachments), ("badge", values.badge.map(\.intValue)),
            ("sound", values.sound), ("interruptionLevel", model.interruptionLevel.rawValue),
            ("relevanceScore", String(format: "%.2f", model.relevanceScore)),
            ("filterCriteria", model.filterCriteria),
        ])
    }

    /// Content can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads content from an archive.
    public required init?(coder: NSCoder) {
        values = ContentValues(coder: coder)
    }

    /// Writes the content into an archive.
    open func encode(with coder: NSCoder) {
        values.encode(with: coder)
    }
}

/// The texts, media and options of a notification, to be filled by the app.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// The files to show; the popup shows the first image.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    /// The number on the app's icon after delivery; nil leaves the number as it is, 0 removes it.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// The text, which is never read as markup.
    open override var body: String {
        get { values.model.body }
        set { values.set(\.body, newValue, of: \.body) }
    }
    /// The identifier of the category whose actions become buttons; empty for none.
    open override var categoryIdentifier: String {
        get { values.model.categoryIdentifier }
        set { values.model.categoryIdentifier = newValue }
    }
    /// The text that Apple's Focus filters match; stored without effect.
    open override var filterCriteria: String? {
        get { values.model.filterCriteria }
        set { values.model.filterCriteria = newValue }
    }
    /// How much the notification may interrupt.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// The name of Apple's launch image; stored without effect.
    open override var launchImageName: String {
        get { values.model.launchImageName }
        set { values.model.launchImageName = newValue }
    }
    /// A score from 0 to 1, by which Apple sorts a summary; stored without effect.
    open override var relevanceScore: Double {
        get { values.model.relevanceScore }
        set { values.model.relevanceScore = newValue }
    }
    /// The sound; nil for none.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// The text between title and body; on Linux the first line of the popup's text.
    open override var subtitle: String {
        get { values.model.subtitle }
        set { values.set(\.subtitle, newValue, of: \.subtitle) }
    }
    /// Apple's old summary argument; stored without effect.
    @available(*, deprecated, message: "summaryArgument is ignored.")
    open override var summaryArgument: String {
        get { values.model.summaryArgument }
        set { values.model.summaryArgument = newValue }
    }
    /// Apple's old summary count; stored without effect.
    @available(*, deprecated, message: "summaryArgumentCount is ignored.")
    open override var summaryArgumentCount: Int {
        get { values.model.summaryArgumentCount }
        set { values.model.summaryArgumentCount = newValue }
    }
    /// The window or document that the app should open after a click.
    open override var targetContentIdentifier: String? {
        get { values.model.targetContentIdentifier }
        set { values.model.targetContentIdentifier = newValue }
    }
    /// The group of the notification.
    open override var threadIdentifier: String {
        get { values.model.threadIdentifier }
        set { values.model.threadIdentifier = newValue }
    }
    /// The title, above all other texts.
    open override var title: String {
        get { values.model.title }
        set { values.set(\.title, newValue, of: \.title) }
    }
    /// The app's own data, returned with every response; only property-list values are allowed.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
}

/// Something that can give a notification the form of a message or a call.
///
/// Only the system's types are allowed: `updating(from:)` throws for an app's own type.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// A message whose text is formatted; the message can become a notification's content.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding {
    let intent: INSendMessageIntent
    let text: String

    /// Makes a context; the text's formatting is not shown on Linux.
    public init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
        intent = sendMessageIntent
        text = attributedContent.string
    }

    /// The class and the address.
    open override var description: String { describe([]) }
}

// The system's own providers, as on Apple's platforms.
extension INSendMessageIntent: UNNotificationContentProviding {}
extension INStartCallIntent: UNNotificationContentProviding {}

/// How much a notification may interrupt.
///
/// On Linux the level becomes the urgency for the notification server.
@nonexhaustive(warn)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// The notification is listed without a banner.
    case passive = 0
    /// The notification is shown at once.
    case active = 1
    /// The notification is shown at once, and may break through Do Not Disturb.
    case timeSensitive = 2
    /// The notification stays until the user dismisses it, and may break through Do Not Disturb.
    case critical = 3
}
