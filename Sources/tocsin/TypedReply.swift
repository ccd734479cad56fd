internal import NotificationModel

/// Whether a person can type the text that a notification asks for.
enum TypedReply {
    /// What shows a field where the server has none, and the package of each.
    private static let programs = ["zenity", "kdialog"]

    /// Why nobody can type one, and what to install; nil where a text can be typed, or where no
    /// server has told yet.
    ///
    /// The daemon shows the field; its session has the same programs, whatever display it has.
    static func problem(
        of server: PresenterStatus, in environment: ToolEnvironment
    ) -> String? {
        guard let name = serverWithoutField(server),
            !programs.contains(where: environment.hasProgram)
        else { return nil }
        return "No reply can be typed here: the notification server\(name) has no field for it, "
            + "and neither zenity nor kdialog is installed."
    }

    /// The same where no notification centre is there that could show a field of its own.
    static func problemWithoutCentre(of server: PresenterStatus) -> String? {
        serverWithoutField(server).map {
            "No reply can be typed here: the notification server\($0) has no field for it, and no "
                + "notification centre is there to ask with zenity or kdialog."
        }
    }

    /// What a person does about it.
    static let remedy = "Install one of these packages, as in 'sudo apt install zenity'."

    /// For who pressed the button, and could not type.
    static func wasNotTyped() -> ToolError {
        ToolError(
            .failure,
            "The button for a reply was pressed, and no reply could be typed: neither zenity nor "
                + "kdialog could be shown. Install one of them, and see 'tocsin doctor'.")
    }

    /// For programs without a field: a space and the server's name; nil for those that have one.
    private static func serverWithoutField(_ server: PresenterStatus) -> String? {
        guard server.isAvailable, !server.name.isEmpty || !server.capabilities.isEmpty,
            !server.capabilities.contains("inline-reply")
        else { return nil }
        return server.name.isEmpty ? "" : " " + server.name.quotedForMessage()
    }
}
