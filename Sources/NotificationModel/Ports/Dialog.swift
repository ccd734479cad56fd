/// A window that asks the user for something that the notification server cannot ask for.
public struct Dialog: Hashable, Sendable {
    /// The kind of input.
    public enum Kind: Hashable, Sendable {
        /// Two buttons with these labels; a user who closes the window chooses no button.
        case choice(accept: String, refuse: String)
        /// A line of text to type, with the label of the button that sends it.
        case text(accept: String)
    }

    /// The kind of input.
    public var kind: Kind
    /// The title of the window.
    public var title: String
    /// The text in the window; never markup.
    public var text: String

    /// Makes a dialog.
    public init(_ kind: Kind, title: String, text: String) {
        self.kind = kind
        self.title = title
        self.text = text
    }
}

/// The user's answer to a dialog.
public enum DialogAnswer: Hashable, Sendable {
    /// The user agreed; `text` is empty if the dialog asks for no text.
    case accepted(text: String)
    /// The user refused.
    case refused
    /// The user closed the dialog, or the dialog program ended without an answer.
    case closed
}

/// Shows dialogs with the desktop's dialog program; in tests, a script answers.
public protocol DialogPresenter: Sendable {
    /// Asks the user, and returns the answer; cancelling the task closes the dialog.
    ///
    /// - Throws: `noServer` if no dialog can be shown, and the message says what to install;
    ///   `protocolViolation` if the dialog program does not start or its output is unusable.
    func answer(to dialog: Dialog) async throws(NotificationError) -> DialogAnswer
}

/// A window with a text and any number of buttons; the window may also have fields to type in.
///
/// A dialog program may show each field in a separate window before the window with the buttons.
public struct AlertDialog: Hashable, Sendable {
    /// A line of text to type.
    public struct Field: Hashable, Sendable {
        /// The hint that says what to type.
        public var placeholder: String
        /// The text that the field has at first; a dialog program shows a secret field empty.
        public var text: String
        /// Whether the text is hidden as it is typed.
        public var isSecret: Bool

        /// Makes a line of text.
        public init(placeholder: String, text: String = "", isSecret: Bool = false) {
            self.placeholder = placeholder
            self.text = text
            self.isSecret = isSecret
        }
    }

    /// The title of the window.
    public var title: String
    /// The text in the window; never markup.
    public var text: String
    /// The labels of the buttons, at least one.
    public var buttons: [String]
    /// Whether the last button is Cancel, which changes nothing.
    public var hasCancelButton: Bool
    /// The lines of text to type.
    public var fields: [Field]

    /// Makes a dialog.
    public init(
        title: String, text: String, buttons: [String], hasCancelButton: Bool = false,
        fields: [Field] = []
    ) {
        self.title = title
        self.text = text
        self.buttons = buttons
        self.hasCancelButton = hasCancelButton
        self.fields = fields
    }

    /// The label of the only button besides Cancel; nil if there are several such buttons or none.
    public var onlyChoice: String? {
        buttons.count == (hasCancelButton ? 2 : 1) ? buttons.first : nil
    }
}

/// The user's answer to an alert.
public struct AlertAnswer: Hashable, Sendable {
    /// The index of the pressed button; nil if the user closed the window.
    public var button: Int?
    /// The typed texts, one for each field; empty if the user did not complete the fields.
    public var texts: [String]

    /// Makes an answer.
    public init(button: Int?, texts: [String] = []) {
        self.button = button
        self.texts = texts
    }
}
