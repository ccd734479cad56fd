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
        let exec = words.map(DesktopFileEscaping.execArgument).joined(separator: " ")
        var lines = [
            "[Desktop Entry]", "Type=Application", "Name=\(DesktopFileEscaping.value(name))",
            "Exec=\(DesktopFileEscaping.value(exec))",
        ]
        if let icon { lines.append("Icon=\(DesktopFileEscaping.value(icon))") }
        if isActivatable { lines.append("DBusActivatable=true") }
        lines += ["X-GNOME-UsesNotifications=true", Self.mark]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The D-Bus service file's text.
    var serviceText: String {
        let words = ["/usr/bin/env", "TOCSIN_APP_ID=\(id.rawValue)", program]
        let exec = ShellQuoting.line(words)
        return """
            # \(Self.mark)
            [D-BUS Service]
            Name=\(id.rawValue)
            Exec=\(DesktopFileEscaping.value(exec))

            """
    }
}
