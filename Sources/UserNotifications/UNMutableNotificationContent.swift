internal import NotificationModel

/// What a notification says and shows, to be filled by the app.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// Files to show; the first picture appears in the popup.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    /// The app's badge after delivery: nil leaves it, 0 removes it.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// The text; never markup.
    open override var body: String {
        get { values.model.body }
        set { values.set(\.body, newValue, of: \.body) }
    }
    /// The identifier of the category whose actions become buttons; empty for none.
    open override var categoryIdentifier: String {
        get { values.model.categoryIdentifier }
        set { values.model.categoryIdentifier = newValue }
    }
    /// What Apple's Focus filters match; kept for the app.
    open override var filterCriteria: String? {
        get { values.model.filterCriteria }
        set { values.model.filterCriteria = newValue }
    }
    /// How much it may interrupt.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// The name of Apple's launch image; kept for the app.
    open override var launchImageName: String {
        get { values.model.launchImageName }
        set { values.model.launchImageName = newValue }
    }
    /// From 0 to 1; sorts within a summary.
    open override var relevanceScore: Double {
        get { values.model.relevanceScore }
        set { values.model.relevanceScore = newValue }
    }
    /// The sound, nil for none.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// A second line; on Linux the first line of the popup's text.
    open override var subtitle: String {
        get { values.model.subtitle }
        set { values.set(\.subtitle, newValue, of: \.subtitle) }
    }
    /// Apple's old summary argument; kept for the app.
    @available(*, deprecated, message: "summaryArgument is ignored.")
    open override var summaryArgument: String {
        get { values.model.summaryArgument }
        set { values.model.summaryArgument = newValue }
    }
    /// Apple's old summary count; kept for the app.
    @available(*, deprecated, message: "summaryArgumentCount is ignored.")
    open override var summaryArgumentCount: Int {
        get { values.model.summaryArgumentCount }
        set { values.model.summaryArgumentCount = newValue }
    }
    /// The window or document that a click should open.
    open override var targetContentIdentifier: String? {
        get { values.model.targetContentIdentifier }
        set { values.model.targetContentIdentifier = newValue }
    }
    /// Groups notifications.
    open override var threadIdentifier: String {
        get { values.model.threadIdentifier }
        set { values.model.threadIdentifier = newValue }
    }
    /// The first line.
    open override var title: String {
        get { values.model.title }
        set { values.set(\.title, newValue, of: \.title) }
    }
    /// The app's own data, handed back with every response: property-list values only.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
}
