/// A button of a notification.
public struct NotificationAction: Hashable, Sendable {
    /// What pressing the button does; raw values are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Needs an unlocked session.
        public static let authenticationRequired = Options(rawValue: 1)
        /// Destroys something; drawn last.
        public static let destructive = Options(rawValue: 2)
        /// Brings the app to the front.
        public static let foreground = Options(rawValue: 4)
    }

    /// The text field that an action opens.
    public struct TextInput: Hashable, Sendable {
        /// The label of the button that sends the text.
        public var buttonTitle: String
        /// Shown in the empty field.
        public var placeholder: String

        /// Makes a text field.
        public init(buttonTitle: String, placeholder: String) {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// Handed back when the button is pressed.
    public var identifier: String
    /// The button's label.
    public var title: String
    /// What pressing it does.
    public var options: Options
    /// The name of the icon, nil for none.
    public var icon: String?
    /// The text field, nil for a plain button.
    public var textInput: TextInput?
    /// After how many seconds the notification comes again when the button is pressed; nil for a
    /// button that answers.
    ///
    /// The notification centre does that by itself, whether the app runs or not.
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
