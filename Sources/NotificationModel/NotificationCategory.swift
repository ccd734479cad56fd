/// A kind of notification: its buttons, and what the app wants to hear of.
public struct NotificationCategory: Hashable, Sendable {
    /// Apple's options; raw values are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The app hears of a dismissal.
        public static let customDismissAction = Options(rawValue: 1)
        /// The title stays visible when previews are hidden.
        public static let hiddenPreviewsShowTitle = Options(rawValue: 4)
        /// The subtitle stays visible when previews are hidden.
        public static let hiddenPreviewsShowSubtitle = Options(rawValue: 8)
    }

    /// What a request's content names.
    public var identifier: String
    /// The buttons in order.
    public var actions: [NotificationAction]
    /// Apple's intent identifiers; kept for the app.
    public var intentIdentifiers: [String]
    /// What the app wants to hear of, and what hidden previews show.
    public var options: Options
    /// Shown in place of the body when previews are hidden.
    public var hiddenPreviewsBodyPlaceholder: String
    /// Apple's format of a group's summary; kept for the app.
    public var summaryFormat: String

    /// Makes a category.
    public init(
        identifier: String, actions: [NotificationAction] = [], intentIdentifiers: [String] = [],
        options: Options = [], hiddenPreviewsBodyPlaceholder: String = "",
        summaryFormat: String = ""
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.summaryFormat = summaryFormat
    }
}
