import NotificationModel

/// The way in which an app is started.
enum LaunchPlan: Hashable {
    /// A call of `org.freedesktop.Application` starts the app.
    case activate
    /// The `Exec` key of the desktop file starts the app.
    case exec
    /// A program with its arguments, in a directory.
    ///
    /// If `isNamed` is true, the program gets the app's id in `TOCSIN_APP_ID`, because no desktop
    /// file names the app.
    case program([String], directory: String, isNamed: Bool)

    /// Chooses how to start the app of a request; nil if nothing may start the app.
    ///
    /// - A background request starts only an app that declares a start without a window, or that
    ///   the bus can activate (`DBusActivatable`).
    /// - A desktop file takes precedence over the command that the app named when it connected.
    /// - Without a desktop file, a command with arguments does not run again. A click must not
    ///   repeat a one-time command, such as `deploy prod`.
    /// - A background command runs again with its arguments, which the app chose for this purpose.
    init?(_ request: LaunchRequest, entry: LaunchEntry?) {
        guard let entry else {
            guard let command = request.command,
                command.isBackground || (request.mode == .foreground && command.arguments.isEmpty)
            else { return nil }
            self = .program(
                [command.executable] + command.arguments, directory: command.directory,
                isNamed: true)
            return
        }
        let background = entry.backgroundExec.flatMap(CommandText.parts)
        if request.mode == .background, let background {
            self = .program(background, directory: entry.directory ?? "", isNamed: false)
        } else if entry.isActivatable {
            self = .activate
        } else if request.mode == .foreground, entry.exec != nil {
            self = .exec
        } else if let command = request.command, command.isBackground, request.mode == .background {
            // An earlier version of the app may have written the desktop file without the command.
            self = .program(
                [command.executable] + command.arguments, directory: command.directory,
                isNamed: false)
        } else {
            return nil
        }
    }
}
