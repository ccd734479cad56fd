internal import NotificationModel

/// A window with a text and any number of buttons.
public struct AlertDialog: Hashable, Sendable {
    /// The title of the window.
    public var title: String
    /// The text in the window; it is not markup.
    public var text: String
    /// The labels of the buttons, at least one.
    public var buttons: [String]

    /// Makes a dialog.
    public init(title: String, text: String, buttons: [String]) {
        self.title = title
        self.text = text
        self.buttons = buttons
    }
}

/// A program that shows an ``AlertDialog``: its arguments, and the button in its output.
struct AlertProgram: Sendable {
    /// The program's name in `PATH`.
    var name: String
    var arguments: @Sendable (AlertDialog) -> [String]
    /// The index of the pressed button; nil if the user closed the window.
    var button: @Sendable (AlertDialog, _ status: Int32, _ output: String) -> Int?

    /// The programs in search order; on Plasma the order is reversed.
    static let all = [zenity, kdialog]

    /// zenity prints the label of the pressed button, and nothing if the window is closed.
    ///
    /// Source: https://help.gnome.org/users/zenity/stable/
    static let zenity = AlertProgram(name: "zenity") { dialog in
        [
            "--question", "--no-markup", "--switch", "--title=\(dialog.title)",
            "--text=\(dialog.text)",
        ] + dialog.buttons.map { "--extra-button=\($0)" }
    } button: { dialog, _, output in
        dialog.buttons.firstIndex(of: output.withoutLineEnd)
    }

    /// kdialog shows a list of the buttons.
    ///
    /// Its questions have at most three buttons, and report a closed window as the last button.
    ///
    /// Source: https://develop.kde.org/docs/administration/kdialog/
    static let kdialog = AlertProgram(name: "kdialog") { dialog in
        [
            "--title=\(dialog.title)", "--menu=\(MarkupEscaping.richText(dialog.text))", "--",
        ] + dialog.buttons.enumerated().flatMap { ["\($0.offset)", $0.element] }
    } button: { dialog, status, output in
        guard status == 0, let index = Int(output.withoutLineEnd) else { return nil }
        return dialog.buttons.indices.contains(index) ? index : nil
    }
}

extension String {
    /// The text without the line feed that a program appends.
    fileprivate var withoutLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
