internal import NotificationModel

/// A program that shows dialogs: its arguments and what its exit status says, one row each.
///
/// Arguments go to the program as they are, never through a shell, and each value is behind its
/// option's equals sign, so that no text is mistaken for an option.
struct DialogProgram: Sendable {
    /// What it is called in `PATH`.
    var name: String
    /// What its environment has besides that of the session.
    var environment: [String: String] = [:]
    /// The exit status that says that the person agreed.
    var acceptedStatus: Int32
    /// The exit status that says that the person refused.
    var refusedStatus: Int32
    /// The arguments that show a dialog.
    var arguments: @Sendable (Dialog) -> [String]

    /// What the end of the program says.
    ///
    /// Whatever is neither agreed nor refused was closed: also a program that found no display.
    func answer(to dialog: Dialog, status: Int32, output: String) -> DialogAnswer {
        switch (dialog.kind, status) {
        case (.choice, acceptedStatus): return .accepted(text: "")
        case (.text, acceptedStatus):
            // The program ends the text with a line feed of its own.
            let text = output.hasSuffix("\n") ? String(output.dropLast()) : output
            return .accepted(text: text)
        case (.choice, refusedStatus): return .refused
        default: return .closed
        }
    }
}

extension DialogProgram {
    /// The programs, in the order in which they are looked for.
    static let all = [zenity, kdialog]

    /// Its usual exit status 1 says refused, closed and without a display alike, so it is told to
    /// use others.
    ///
    /// Source: https://help.gnome.org/users/zenity/stable/
    static let zenity = DialogProgram(
        name: "zenity",
        environment: ["ZENITY_OK": "10", "ZENITY_CANCEL": "11", "ZENITY_ESC": "12"],
        acceptedStatus: 10, refusedStatus: 11
    ) { dialog in
        switch dialog.kind {
        case .choice(let accept, let refuse):
            // Who is typing when it appears has not agreed: Return refuses.
            [
                "--question", "--no-markup", "--default-cancel", "--title=\(dialog.title)",
                "--text=\(dialog.text)", "--ok-label=\(accept)", "--cancel-label=\(refuse)",
            ]
        case .text(let accept):
            [
                "--entry", "--title=\(dialog.title)",
                "--text=\(MarkupEscaping.zenityLabel(dialog.text))",
                "--ok-label=\(accept)",
            ]
        }
    }

    /// Closing its window would say no to a question of two, so it has a third button for that.
    ///
    /// Source: https://develop.kde.org/docs/administration/kdialog/
    static let kdialog = DialogProgram(
        name: "kdialog", acceptedStatus: 0, refusedStatus: 1
    ) { dialog in
        switch dialog.kind {
        case .choice(let accept, let refuse):
            [
                "--title=\(dialog.title)", "--yes-label=\(accept)", "--no-label=\(refuse)",
                "--cancel-label=Not Now", "--yesnocancel=\(MarkupEscaping.richText(dialog.text))",
            ]
        case .text:
            ["--title=\(dialog.title)", "--inputbox=\(MarkupEscaping.richText(dialog.text))"]
        }
    }
}
