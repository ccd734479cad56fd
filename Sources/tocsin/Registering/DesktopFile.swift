internal import NotificationModel

/// The files that make a program an app of the desktop.
///
/// Sources: Desktop Entry Specification 1.5; D-Bus Specification, "Message Bus Starting Services".
struct DesktopFile: Hashable {
    /// What tells a file of ours from one that a package or a person wrote.
    static let mark = "X-Tocsin-Registered=true"

    /// The app's id.
    var id: ApplicationID
    /// The program's absolute path.
    var program: String
    /// What people read.
    var name: String
    /// A theme name or a path; nil for none.
    var icon: String?
    /// Whether the app takes its own name on the bus, by which it is then started.
    var isActivatable = false

    /// The desktop file's text.
    var entryText: String {
        // So that the program is this app, whoever starts it.
        let words = ["env", "TOCSIN_APP_ID=\(id.rawValue)", program]
        let exec = words.map { Self.execWord($0) }.joined(separator: " ")
        var lines = [
            "[Desktop Entry]", "Type=Application", "Name=\(Self.value(name))",
            "Exec=\(Self.value(exec))",
        ]
        if let icon { lines.append("Icon=\(Self.value(icon))") }
        if isActivatable { lines.append("DBusActivatable=true") }
        lines += ["X-GNOME-UsesNotifications=true", Self.mark]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The D-Bus service file's text.
    var serviceText: String {
        let words = ["/usr/bin/env", "TOCSIN_APP_ID=\(id.rawValue)", program]
        let exec = words.map { Self.shellWord($0) }.joined(separator: " ")
        return """
            # \(Self.mark)
            [D-BUS Service]
            Name=\(id.rawValue)
            Exec=\(Self.value(exec))

            """
    }

    /// A value of a desktop file: no line ends within it, and a space at its start counts.
    static func value(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case " " where result.isEmpty: result += "\\s"
            default: result.append(character)
            }
        }
        return result
    }

    /// An argument of `Exec`: in double quotes where it needs them, and with its percent signs
    /// doubled, which would be field codes.
    static func execWord(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            if character == "%" { result += "%" }
            if "\"`$\\".contains(character) { result += "\\" }
            result.append(character)
        }
        let isPlain = text.allSatisfy { isOrdinary($0) || $0 == "%" }
        return isPlain && !text.isEmpty ? escaped : "\"\(escaped)\""
    }

    /// An argument of a service's `Exec`, by the rules of a shell's single quotes.
    static func shellWord(_ text: String) -> String {
        let isPlain = text.allSatisfy { isOrdinary($0) || $0 == "%" }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    private static func isOrdinary(_ character: Character) -> Bool {
        guard character.isASCII else { return true }
        return character.isLetter || character.isNumber || "/._-+=:,@".contains(character)
    }
}
