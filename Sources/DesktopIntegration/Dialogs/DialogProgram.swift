internal import NotificationModel

/// A program that shows dialogs: its arguments and the meaning of its exit statuses.
///
/// No shell reads the arguments. Each value follows its option's equals sign, so the program cannot
/// mistake text for an option.
struct DialogProgram: Sendable {
    /// The program's name in `PATH`.
    var name: String
    /// Variables that the program gets in addition to the session's environment.
    var environment: [String: String] = [:]
    var acceptedStatus: Int32
    var refusedStatus: Int32
    var arguments: @Sendable (Dialog) -> [String]

    /// Maps the program's exit status and output to an answer.
    ///
    /// A status that this kind of dialog does not use means `closed`. An example is the status of a
    /// program that found no display.
    func answer(to dialog: Dialog, status: Int32, output: String) -> DialogAnswer {
        switch (dialog.kind, status) {
        case (.choice, acceptedStatus): return .accepted(text: "")
        case (.text, acceptedStatus):
            // The program appends a line feed to the text.
            let text = output.hasSuffix("\n") ? String(output.dropLast()) : output
            return .accepted(text: text)
        case (.choice, refusedStatus): return .refused
        default: return .closed
        }
    }
}

extension DialogProgram {
    /// The programs in search order; on Plasma the order is reversed.
    static let all = [zenity, kdialog]

    /// Tocsin sets zenity's exit statuses, because the usual status 1 has several meanings:
    /// refused, closed, or no display.
    ///
    /// Source: https://help.gnome.org/users/zenity/stable/
    static let zenity = DialogProgram(
        name: "zenity",
        environment: ["ZENITY_OK": "10", "ZENITY_CANCEL": "11", "ZENITY_ESC": "12"],
        acceptedStatus: 10, refusedStatus: 11
    ) { dialog in
        switch dialog.kind {
        case .choice(let accept, let refuse):
            // The Return key refuses: a user who is typing when the dialog appears must not agree
            // by accident.
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

    /// kdialog gets a third button, because it reports a closed two-button question as refused.
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
