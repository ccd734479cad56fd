/// A window that asks the user for something the notification server cannot ask for.
public struct Dialog: Hashable, Sendable {
    /// The kind of input.
    public enum Kind: Hashable, Sendable {
        /// A choice of two; closing the window is neither.
        case choice(accept: String, refuse: String)
        /// A line of text, with the label of the button that sends it.
        case text(accept: String)
    }

    /// The kind of input.
    public var kind: Kind
    /// The title of the window.
    public var title: String
    /// The text in it; never markup.
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
    /// Agreed; with the text where one was asked for.
    case accepted(text: String)
    /// Chose to refuse.
    case refused
    /// Closed it, or it could not stay.
    case closed
}

/// Shows dialogs: the desktop's dialog program, or a script in tests.
public protocol DialogPresenter: Sendable {
    /// Asks, and returns the answer; cancelling the task closes the dialog.
    ///
    /// Throws where no dialog can be shown, with what to install.
    func ask(_ dialog: Dialog) async throws(NotificationError) -> DialogAnswer
}
