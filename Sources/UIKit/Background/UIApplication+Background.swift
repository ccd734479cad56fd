/// The number of a background task.
///
/// Apple: https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int
    /// Makes an identifier.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The identifier of no task.
    public static let invalid = Self(rawValue: 0)
}

// `@preconcurrency` lets a handler of an app in Swift 5 mode change a local variable, as on Apple's
// platforms. Usually the variable is the identifier of the task. The attribute of the class does
// not apply to nonisolated methods of an extension.
extension UIApplication {
    /// Begins a task that should end before the machine sleeps and before the process ends.
    ///
    /// On Linux no process is suspended in the background. A task has two effects here:
    ///
    /// - While the task runs, logind delays sleep and shutdown. The delay is at most 5 seconds,
    ///   unless logind is configured otherwise. Without logind, nothing is delayed.
    /// - After SIGTERM, the process ends when the task has ended, at the latest after 5 seconds.
    ///
    /// The handler is called on the main actor, at most once:
    ///
    /// - when the machine is about to sleep or shut down,
    /// - after 30 seconds in the background,
    /// - or 5 seconds after SIGTERM.
    ///
    /// The task is over when the handler returns. An app that never calls `endBackgroundTask` is
    /// not killed.
    ///
    /// The identifier is never `.invalid`. The method may be called on any thread.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(expirationhandler:)
    @preconcurrency
    nonisolated public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    /// Begins a task with a name, which tools such as `systemd-inhibit --list` show.
    ///
    /// See ``beginBackgroundTask(expirationHandler:)``.
    @preconcurrency
    nonisolated public func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        UIBackgroundTaskIdentifier(rawValue: background.start(taskName, handler))
    }

    /// Ends a task and its sleep delay; a call for a task that is over has no effect.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        background.finish(identifier.rawValue)
    }

    /// The seconds until the first expiration handler is called.
    ///
    /// In the foreground the value is the greatest number, as on Apple's platforms. Still, the
    /// machine may go to sleep at any time. If no task runs, the value is the time that a new task
    /// would have.
    public var backgroundTimeRemaining: TimeInterval { background.remaining }
}

extension UIApplication {
    /// The interval of an app that wants to fetch data as often as the system lets it.
    nonisolated public static let backgroundFetchIntervalMinimum: TimeInterval = 0
    /// The interval of an app that never fetches data in the background.
    nonisolated public static let backgroundFetchIntervalNever: TimeInterval =
        .greatestFiniteMagnitude

    /// Does nothing: no desktop asks an app to fetch data.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/setminimumbackgroundfetchinterval(_:)
    @available(*, deprecated, message: "Start the app at certain times with a timer of systemd.")
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {}
}

/// Whether an app may refresh its content in the background.
///
/// Apple: https://developer.apple.com/documentation/uikit/uibackgroundrefreshstatus
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Refreshing is impossible, and the user cannot change this.
    case restricted
    /// The user has forbidden refreshing, for this app or for all apps.
    case denied
    /// The app may refresh its content.
    case available
}

extension UIApplication {
    /// Whether the app may refresh its content in the background; always `.available` on Linux.
    ///
    /// On Linux no process is suspended in the background, so the app can refresh its content as
    /// long as it runs. No desktop has a setting that forbids this. Nothing starts an app so that
    /// it refreshes its content.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/backgroundrefreshstatus
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }

    /// The value of ``backgroundRefreshStatus`` has changed; never posted on Linux.
    nonisolated public static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
        "UIApplicationBackgroundRefreshStatusDidChangeNotification")
}
