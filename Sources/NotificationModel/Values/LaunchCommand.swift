/// How an app without a desktop file is started again: the program that connected, by its path.
///
/// No shell is involved. The sizes are bounded, because it is kept for as long as the app has
/// anything to answer.
public struct LaunchCommand: Hashable, Sendable {
    /// The most arguments that are kept.
    public static let maximumCount = Limits.commandArguments.most
    /// The most bytes that all texts together may have.
    public static let maximumSize = Limits.commandSize.most

    /// The absolute path of the program.
    public var executable = ""
    /// Its arguments, without its name.
    public var arguments: [String] = []
    /// The absolute path of the directory that it is started in.
    public var directory = ""
    /// Whether it shows no window of its own accord, so that background actions may start it, too.
    public var isBackground = false

    /// The command by which an app says that it can be started, or nil where it says none or one
    /// that cannot be used.
    public init?(_ identity: ApplicationIdentity) {
        let directory = identity.directory.isEmpty ? "/" : identity.directory
        self.init(
            executable: identity.executable, arguments: identity.arguments, directory: directory,
            isBackground: identity.startsInBackground)
    }

    /// Makes a command, or nil where it cannot be used: paths are absolute, no text has a NUL, and
    /// the sizes are within their limits.
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

    /// As it is stored; `checked` says whether what was read can be used.
    package static let record = Record<LaunchCommand>([
        Field(required: "executable", \.executable),
        Field("arguments", \.arguments, []),
        Field(required: "directory", \.directory),
        Field("background", \.isBackground, false),
    ]) { LaunchCommand() }

    /// The same, or nil where it cannot be used.
    package var checked: LaunchCommand? {
        LaunchCommand(
            executable: executable, arguments: arguments, directory: directory,
            isBackground: isBackground)
    }
}

/// How an app that has quit is started for a response.
public enum LaunchMode: Int64, Hashable, Sendable, CaseIterable {
    /// The user wants to see the app.
    case foreground
    /// The app is to do something unseen: only one that can be started without a window.
    case background

    /// How this action starts an app, or nil where it starts none.
    ///
    /// `category` is the one that the notification names. A dismissal starts nothing. An action
    /// that the category does not have (any more) might be anything, so it brings no window up.
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

/// An app to start because the user answered one of its notifications.
public struct LaunchOrder: Hashable, Sendable {
    /// The response that waits for the app.
    public var response: NotificationResponse
    /// How it is started.
    public var mode: LaunchMode
    /// The program to start where the app has no desktop file; nil where none is known.
    public var command: LaunchCommand?

    /// The app.
    public var app: ApplicationID { response.notification.app }

    /// Makes an order.
    public init(
        response: NotificationResponse, mode: LaunchMode, command: LaunchCommand? = nil
    ) {
        self.response = response
        self.mode = mode
        self.command = command
    }
}
