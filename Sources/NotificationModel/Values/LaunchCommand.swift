/// The command that starts an app without a desktop file: the program with which the app connected.
///
/// No shell is involved. The sizes are bounded, because the store keeps the command while the user
/// can respond to a notification of the app.
public struct LaunchCommand: Hashable, Sendable {
    /// The maximum number of a command's arguments.
    public static let maximumCount = Limits.commandArguments.most
    /// The most bytes that all texts together may have.
    public static let maximumSize = Limits.commandSize.most

    /// The absolute path of the program.
    public var executable = ""
    /// The program's arguments, without its name.
    public var arguments: [String] = []
    /// The absolute path of the directory in which the program starts.
    public var directory = ""
    /// Whether the program starts without a window, so that background actions may start it, too.
    public var isBackground = false

    /// The command in an app's identity; nil if the identity has no usable command.
    public init?(_ identity: ApplicationIdentity) {
        let directory = identity.directory.isEmpty ? "/" : identity.directory
        self.init(
            executable: identity.executable, arguments: identity.arguments, directory: directory,
            isBackground: identity.startsInBackground)
    }

    /// Makes a command; nil if it cannot be used.
    ///
    /// Paths must be absolute, no text may have a NUL, and the sizes must be within their limits.
    public init?(
        executable: String, arguments: [String] = [], directory: String = "/",
        isBackground: Bool = false
    ) {
        let texts = [executable, directory] + arguments
        guard executable.hasPrefix("/"), directory.hasPrefix("/"),
            arguments.count <= Self.maximumCount,
            texts.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumSize,
            !texts.contains(where: { $0.utf8.contains(0) })
        else { return nil }
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.isBackground = isBackground
    }

    private init() {}

    /// The stored form.
    ///
    /// Reading does not check the paths and the sizes, so a reader must use `checked`.
    package static let record = Record<LaunchCommand>([
        Field(required: "executable", \.executable),
        Field("arguments", \.arguments, []),
        Field(required: "directory", \.directory),
        Field("background", \.isBackground, false),
    ]) { LaunchCommand() }

    package var checked: LaunchCommand? {
        LaunchCommand(
            executable: executable, arguments: arguments, directory: directory,
            isBackground: isBackground)
    }
}

/// The way in which an app that has quit is started for a response.
public enum LaunchMode: Int64, Hashable, Sendable, CaseIterable {
    /// The user wants to see the app.
    case foreground
    /// The app works without a window; only some apps can be started like this.
    case background

    /// The way in which this action starts the app; nil if the action does not start the app.
    ///
    /// `category` is the category that the notification names. A dismissal starts nothing. An
    /// action that the category lacks may mean anything, so the app starts without a window.
    public init?(_ action: NotificationResponse.Action, category: NotificationCategory?) {
        switch action {
        case .dismiss: return nil
        case .standard: self = .foreground
        case .custom(let identifier), .reply(let identifier, _):
            let known = category?.actions.first { $0.identifier == identifier }
            self = known?.options.contains(.foreground) == true ? .foreground : .background
        }
    }
}

/// An app to start because the user responded to one of its notifications, or opened the app's
/// settings from such a notification.
public struct LaunchRequest: Hashable, Sendable {
    /// The notification that the user acted on.
    public var notification: DeliveredNotification
    /// The response that waits for the app; nil if the user asked for the app's settings.
    public var response: NotificationResponse?
    /// The token that lets the app raise a window; nil if the server gave none.
    public var activationToken: String?
    /// How the app is started.
    public var mode: LaunchMode
    /// The program to start if the app has no desktop file; nil if none is known.
    public var command: LaunchCommand?

    /// The app.
    public var app: ApplicationID { notification.app }

    /// Makes a request for a response.
    public init(
        response: NotificationResponse, mode: LaunchMode, command: LaunchCommand? = nil
    ) {
        notification = response.notification
        self.response = response
        activationToken = response.activationToken
        self.mode = mode
        self.command = command
    }

    /// Makes a request for the app's own settings, which the user opened from a notification.
    public init(
        settingsFor notification: DeliveredNotification, activationToken: String? = nil,
        command: LaunchCommand? = nil
    ) {
        self.notification = notification
        self.activationToken = activationToken
        mode = .foreground
        self.command = command
    }
}
