internal import NotificationModel

/// One finding of `tocsin doctor`.
struct DoctorCheck: Hashable {
    enum Mark: String {
        case good = "ok"
        case warning
        case bad = "error"
    }

    var mark: Mark
    var name: String
    var text: String
    /// The remedy; nil if there is nothing for the user to do.
    var remedy: String?

    static func good(_ name: String, _ text: String) -> DoctorCheck {
        DoctorCheck(mark: .good, name: name, text: text)
    }

    static func warning(_ name: String, _ text: String, remedy: String? = nil) -> DoctorCheck {
        DoctorCheck(mark: .warning, name: name, text: text, remedy: remedy)
    }

    static func bad(_ name: String, _ text: String, remedy: String? = nil) -> DoctorCheck {
        DoctorCheck(mark: .bad, name: name, text: text, remedy: remedy)
    }

    /// The text for the user; a remedy has a line of its own.
    func line(_ terminal: Terminal, nameWidth: Int) -> String {
        let sign =
            switch mark {
            case .good: terminal.styled("✓", .good)
            case .warning: terminal.styled("!", .warning)
            case .bad: terminal.styled("✗", .bad)
            }
        let space = String(repeating: " ", count: max(0, nameWidth - name.terminalWidth))
        let text = "\(sign) \(name)\(space)  \(TerminalEscaping.line(text))\n"
        guard let remedy else { return text }
        return text + String(repeating: " ", count: nameWidth + 4) + "→ "
            + "\(TerminalEscaping.line(remedy))\n"
    }

    var object: RecordValue {
        .record([
            .init("mark", mark.rawValue), .init("name", name), .init("text", text),
            .init("remedy", remedy),
        ])
    }
}
