internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

extension UNUserNotificationCenter {
    /// The id of the app's desktop file, without `.desktop`; set it before the first use.
    ///
    /// Where it is not set, the id comes from the environment, the sandbox or the session. An id that
    /// cannot be used makes every later call fail with an error that says so.
    public class var applicationIdentifier: String {
        get { current().applicationIdentifier }
        set { current().applicationIdentifier = newValue }
    }

    /// The identifier of the request whose response started this program; nil for any other start.
    ///
    /// The response itself comes to the delegate. The value is that of the environment variable
    /// `TOCSIN_LAUNCHED_FOR`, which programs that this one starts inherit. An app that the bus starts
    /// (`DBusActivatable`) has no such variable: it gets the identifier with `ActivateAction`.
    public class var launchedForIdentifier: String? { Configuration.current().launchedFor }

    /// Returns when everything that the app has asked for so far is done.
    ///
    /// A program that ends waits up to two seconds for its calls that store, without this: for
    /// requests, removals, categories, badges and handled responses, but not for a permission that
    /// the user was asked for, and not for completion handlers.
    public func flush() async {
        await connection.flush()
    }

    /// Opens the page of the desktop's settings about notifications, that of the app if there is one.
    ///
    /// What `UIApplication.openNotificationSettingsURLString` is on iOS. GNOME, Plasma, Xfce, MATE,
    /// LXQt and Cinnamon have such a page. Throws a ``UNServiceError`` of the code
    /// ``UNServiceError/Code/noSettings`` where the desktop has none, or its program is not installed.
    public func openNotificationSettings() async throws {
        try await withCheckedThrowingContinuation { continuation in
            perform(
                stores: false,
                { connected throws(NotificationError) in
                    try await connected.service.openNotificationSettings(
                        of: connected.application)
                },
                completion: { (result: Result<Void, NotificationError>) in
                    continuation.resume(with: result.mapError(\.asUserNotificationsError))
                })
        }
    }

    /// The same of this centre; an id that is none becomes the error of its later calls.
    package var applicationIdentifier: String {
        get { chosenIdentifier.withLock { $0 } ?? source.application().id.rawValue }
        set {
            do {
                let id = try ApplicationID(newValue)
                chosenIdentifier.withLock { $0 = newValue }
                connection.take(.identify(.success(id)))
            } catch {
                connection.take(.identify(.failure(error)))
            }
        }
    }
}
