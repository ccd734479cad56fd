internal import NotificationModel

/// A kind of notification: its buttons, and the events that the app wants to receive.
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Set by the initialisers only.
    private(set) var value: NotificationCategory

    /// The identifier that a request's content names.
    open var identifier: String { value.identifier }
    /// The buttons in order.
    open var actions: [UNNotificationAction] { value.actions.map(UNNotificationAction.made(of:)) }
    /// Apple's intent identifiers; stored without effect.
    open var intentIdentifiers: [String] { value.intentIdentifiers }
    /// The events that the app wants to receive, and the texts that stay visible when previews are
    /// hidden.
    open var options: UNNotificationCategoryOptions { .init(rawValue: value.options.rawValue) }
    /// The text in place of the body when previews are hidden; empty if none was given.
    open var hiddenPreviewsBodyPlaceholder: String { value.hiddenPreviewsBodyPlaceholder }
    /// Apple's format of a group's summary, stored without effect; empty if none was given.
    open var categorySummaryFormat: String { value.summaryFormat }

    convenience init(value: NotificationCategory) {
        self.init(identifier: value.identifier, actions: [], intentIdentifiers: [])
        self.value = value
    }

    /// Makes a category.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
    }

    /// Makes a category with a text for hidden previews.
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: nil, options: options)
    }

    /// Makes a category with a text for hidden previews and a format for summaries.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        value = NotificationCategory(
            identifier: identifier, actions: actions.map(\.value),
            intentIdentifiers: intentIdentifiers, options: .init(rawValue: options.rawValue),
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder ?? "",
            summaryFormat: categorySummaryFormat ?? "")
    }

    /// Returns this category, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a category with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.value == value
    }

    /// A hash of the values.
    open override var hash: Int { value.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([
            ("identifier", identifier), ("actions", actions), ("options", options.rawValue),
            ("intentIdentifiers", intentIdentifiers),
            ("hiddenPreviewsBodyPlaceholder", hiddenPreviewsBodyPlaceholder),
        ])
    }

    /// A category can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a category from an archive.
    public required init?(coder: NSCoder) {
        guard let value = coder.value(NotificationCategory.record, "category") else { return nil }
        self.value = value
    }

    /// Writes the category into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value, as: NotificationCategory.record, forKey: "category")
    }
}

/// The events that an app wants to receive, and the texts that stay visible when previews are
/// hidden.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options from Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The app receives dismissals.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// Notifications may be shown in a car; stored without effect.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// The title stays visible when previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// The subtitle stays visible when previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
    /// Notifications may be read aloud; ignored, as on Apple's platforms.
    @available(*, deprecated, message: "Announcement is always allowed.")
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
