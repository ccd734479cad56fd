import NotificationModel

/// By which of the means that are known an app is started.
enum LaunchPlan: Hashable {
    /// By a call of `org.freedesktop.Application`.
    case activate
    /// By the desktop file's `Exec`.
    case exec
    /// By a program with its arguments, in a directory; `isNamed` where it is told which app it is,
    /// because it has no desktop file by which it could know.
    case program([String], directory: String, isNamed: Bool)

    /// The means for an order, or nil where there is none: what is to happen unseen starts only
    /// what says that it shows no window.
    ///
    /// A desktop file counts before what the app said when it connected. Without one, a program that
    /// had arguments is not started again: they may be an order, such as `deploy prod`, that the
    /// user gave once. A program that does its work without a window chose its arguments for this.
    init?(_ order: LaunchOrder, entry: LaunchEntry?) {
        guard let entry else {
            guard let command = order.command,
                command.isBackground || (order.mode == .foreground && command.arguments.isEmpty)
            else { return nil }
            self = .program(
                [command.executable] + command.arguments, directory: command.directory,
                isNamed: true)
            return
        }
        let background = entry.backgroundExec.flatMap(CommandText.parts)
        if order.mode == .background, let background {
            self = .program(background, directory: entry.directory ?? "", isNamed: false)
        } else if entry.isActivatable {
            self = .activate
        } else if order.mode == .foreground, entry.exec != nil {
            self = .exec
        } else if let command = order.command, command.isBackground, order.mode == .background {
            // The entry may be of an earlier version of the app.
            self = .program(
                [command.executable] + command.arguments, directory: command.directory,
                isNamed: false)
        } else {
            return nil
        }
    }
}
