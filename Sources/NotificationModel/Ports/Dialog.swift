/// A window that asks the user for something that the notification server cannot ask for.
public struct Dialog: Hashable, Sendable {
    /// The kind of input.
    public enum Kind: Hashable, Sendable {
        /// A choice of two buttons, with their labels; closing the window chooses neither.
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
    /// The user agreed, with the text if the dialog asks for one.
    case accepted(text: String)
    /// The user refused.
    case refused
    /// The user closed the dialog, or it could not stay open.
    case closed
}

/// Shows dialogs: the desktop's dialog program, or a script in tests.
public protocol DialogPresenter: Sendable {
    /// Asks the user, and returns the answer; cancelling the task closes the dialog.
    ///
    /// - Throws: `noServer` if no dialog can be shown, and the message says what to install;
    ///   `protocolViolation` if the dialog program does not start or its output is unusable.
    func answer(to dialog: Dialog) async throws(NotificationError) -> DialogAnswer
}
