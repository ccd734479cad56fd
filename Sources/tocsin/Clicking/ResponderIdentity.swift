internal import NotificationModel

/// The tool as the app whose notifications have commands: a click starts it with `respond`.
///
/// Where its desktop file is installed that one says so, too; where it is not, this does.
enum ResponderIdentity {
    /// What the centre has to be told of who sends: of commands also how they are run.
    static func sender(
        _ app: (id: ApplicationID, identity: ApplicationIdentity?), _ commands: ClickCommands?,
        in environment: ToolEnvironment
    ) -> ApplicationIdentity? {
        guard commands != nil else { return app.identity }
        return identity(
            of: app.id, named: app.identity?.name, executable: environment.executable())
    }

    /// The tool for its own notifications, or for those of another app, of which it knows the name
    /// only where that was given to it.
    static func identity(
        of app: ApplicationID, named name: String? = nil, executable: String
    ) -> ApplicationIdentity {
        let selection = app == .tocsin ? [] : ["--app", app.rawValue]
        var identity = ApplicationIdentity(
            id: app, name: name ?? (app == .tocsin ? "Tocsin" : ""), executable: executable,
            arguments: ["respond"] + selection,
            directory: "/")
        identity.startsInBackground = true
        return identity
    }
}
