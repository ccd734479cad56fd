/// A kind of notification: its buttons, and the events that the app wants.
public struct NotificationCategory: Hashable, Sendable {
    /// Apple's options; raw values are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The app gets a response if the user dismisses the notification.
        public static let customDismissAction = Options(rawValue: 1)
        /// The title stays visible when previews are hidden.
        public static let hiddenPreviewsShowTitle = Options(rawValue: 4)
        /// The subtitle stays visible when previews are hidden.
        public static let hiddenPreviewsShowSubtitle = Options(rawValue: 8)
    }

    /// The identifier that a request's content names.
    public var identifier: String
    /// The buttons in order.
    public var actions: [NotificationAction]
    /// Apple's intent identifiers; kept for the app.
    public var intentIdentifiers: [String]
    /// The events that the app wants, and the texts that hidden previews show.
    public var options: Options
    /// The text in place of the body when previews are hidden.
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

/// A button of a notification.
public struct NotificationAction: Hashable, Sendable {
    /// The effects of pressing the button; raw values are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The button needs an unlocked session.
        public static let authenticationRequired = Options(rawValue: 1)
        /// Pressing the button destroys something, so the button is drawn last.
        public static let destructive = Options(rawValue: 2)
        /// Pressing the button brings the app to the front.
        public static let foreground = Options(rawValue: 4)
    }

    /// The text field that an action opens.
    public struct TextInput: Hashable, Sendable {
        /// The label of the button that sends the text.
        public var buttonTitle: String
        /// The text that the empty field shows.
        public var placeholder: String

        /// Makes a text field.
        public init(buttonTitle: String, placeholder: String) {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// The name that the app gets back when the button is pressed.
    public var identifier: String
    /// The button's label.
    public var title: String
    /// The effects of pressing the button.
    public var options: Options
    /// The name of the icon, nil for none.
    public var icon: String?
    /// The text field, nil for a plain button.
    public var textInput: TextInput?
    /// The seconds for which the button snoozes the notification; nil for an ordinary button.
    ///
    /// The notification centre snoozes without the app, and the app gets no response.
    public var snooze: Double?

    /// Makes an action.
    public init(
        identifier: String, title: String, options: Options = [], icon: String? = nil,
        textInput: TextInput? = nil, snooze: Double? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.icon = icon
        self.textInput = textInput
        self.snooze = snooze
    }
}
