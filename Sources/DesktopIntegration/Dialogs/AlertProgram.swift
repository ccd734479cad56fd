internal import NotificationModel

/// A program that shows an alert: its arguments, and the button in its output.
struct AlertProgram: Sendable {
    /// The program's name in `PATH`.
    var name: String
    var arguments: @Sendable (AlertDialog) -> [String]
    /// The arguments for a window in which the user types the text of one field; `accept` labels
    /// zenity's OK button.
    var fieldArguments: @Sendable (AlertDialog, AlertDialog.Field, _ accept: String) -> [String]
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
        ] + distinctLabels(of: dialog).map { "--extra-button=\($0)" }
    } fieldArguments: { dialog, field, accept in
        // Pass no secret text: every user of the machine can read the arguments of a process.
        let content = field.isSecret ? "--hide-text" : "--entry-text=\(field.text)"
        return [
            "--entry", "--title=\(dialog.title)",
            "--text=\(MarkupEscaping.zenityLabel(label(of: field, in: dialog)))", content,
            "--ok-label=\(accept)",
        ]
            + (dialog.hasCancelButton
                ? (dialog.buttons.last.map { ["--cancel-label=\($0)"] } ?? []) : [])
    } button: { dialog, _, output in
        distinctLabels(of: dialog).firstIndex(of: output.withoutLineEnd)
    }

    /// kdialog shows the buttons as a menu, because its questions have at most three buttons.
    ///
    /// Also, kdialog reports a closed question as a press of the last button.
    ///
    /// Source: https://develop.kde.org/docs/administration/kdialog/
    static let kdialog = AlertProgram(name: "kdialog") { dialog in
        [
            "--title=\(dialog.title)", "--menu=\(MarkupEscaping.richText(dialog.text))", "--",
        ] + dialog.buttons.enumerated().flatMap { ["\($0.offset)", $0.element] }
    } fieldArguments: { dialog, field, _ in
        // kdialog accepts an initial text only for a field that is not secret.
        let text = MarkupEscaping.richText(label(of: field, in: dialog))
        return ["--title=\(dialog.title)"]
            + (field.isSecret ? ["--password=\(text)"] : ["--inputbox=\(text)", "--", field.text])
    } button: { dialog, status, output in
        guard status == 0, let index = Int(output.withoutLineEnd) else { return nil }
        return dialog.buttons.indices.contains(index) ? index : nil
    }

    /// The typed text, which both programs print; nil if the user cancelled or closed the window.
    func text(status: Int32, output: String) -> String? {
        status == 0 ? output.withoutLineEnd : nil
    }

    /// The buttons' labels for zenity; added spaces make each label different and not empty.
    ///
    /// zenity prints only the pressed button's label, or nothing if the user closed the window.
    private static func distinctLabels(of dialog: AlertDialog) -> [String] {
        var labels: [String] = []
        for button in dialog.buttons {
            var label = button.isEmpty ? " " : MarkupEscaping.zenityButton(button)
            while labels.contains(label) { label += " " }
            labels.append(label)
        }
        return labels
    }

    private static func label(of field: AlertDialog.Field, in dialog: AlertDialog) -> String {
        [dialog.text, field.placeholder].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var withoutLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
