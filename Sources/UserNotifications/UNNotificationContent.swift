internal import NotificationModel

/// What a notification says and shows; make a ``UNMutableNotificationContent`` to fill it.
///
/// `@unchecked Sendable`, like every class here: what apps get is immutable. The mutable content
/// follows Apple's rule, one thread at a time, and a request takes a copy of it.
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

    /// Files to show; the first picture appears in the popup.
    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// The app's badge after delivery: nil leaves it, 0 removes it.
    open var badge: NSNumber? { values.badge }
    /// The text; never markup.
    open var body: String { values.model.body }
    /// The identifier of the category whose actions become buttons; empty for none.
    open var categoryIdentifier: String { values.model.categoryIdentifier }
    /// What Apple's Focus filters match; kept for the app.
    open var filterCriteria: String? { values.model.filterCriteria }
    /// How much it may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// The name of Apple's launch image; kept for the app.
    open var launchImageName: String { values.model.launchImageName }
    /// From 0 to 1; sorts within a summary.
    open var relevanceScore: Double { values.model.relevanceScore }
    /// The sound, nil for none.
    open var sound: UNNotificationSound? { values.sound }
    /// A second line; on Linux the first line of the popup's text.
    open var subtitle: String { values.model.subtitle }
    /// Apple's old summary argument; kept for the app.
    @available(*, deprecated, message: "summaryArgument is ignored.")
    open var summaryArgument: String { values.model.summaryArgument }
    /// Apple's old summary count; kept for the app.
    @available(*, deprecated, message: "summaryArgumentCount is ignored.")
    open var summaryArgumentCount: Int { values.model.summaryArgumentCount }
    /// The window or document that a click should open.
    open var targetContentIdentifier: String? { values.model.targetContentIdentifier }
    /// Groups notifications.
    open var threadIdentifier: String { values.model.threadIdentifier }
    /// The first line.
    open var title: String { values.model.title }
    /// The app's own data, handed back with every response: property-list values only.
    open var userInfo: [AnyHashable: Any] { values.userInfo }

    /// Content that takes the look of a message or a call: the sender's name becomes the title.
    ///
    /// Only the system's providers are allowed: a message or call intent, or a
    /// ``UNNotificationAttributedMessageContext``. Every other fails with
    /// `UNError.contentProvidingObjectNotAllowed`, and one without a name with
    /// `contentProvidingInvalid`, as on Apple's platforms.
    open func updating(
        from provider: any UNNotificationContentProviding
    ) throws -> UNNotificationContent {
        var updated = values
        try updated.update(from: provider)
        return UNNotificationContent(values: updated)
    }

    /// Immutable content with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(values: values)
    }

    /// A ``UNMutableNotificationContent`` with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        UNMutableNotificationContent(values: values)
    }

    /// Whether the object is content with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationContent)?.values == values
    }

    /// A hash of the values that equal content shares.
    open override var hash: Int { values.model.hashValue }

    /// The class, the address and the values.
    open override var description: String { describe(values.fields) }

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
