internal import NotificationModel

extension UNUserNotificationCenter {
    /// The id of the app's desktop file, without `.desktop`; set it before the first use.
    ///
    /// Where it is not set, the id comes from the environment, the sandbox or the session. An id that
    /// cannot be used makes every later call fail with an error that says so.
    public class var applicationIdentifier: String {
        get { current().applicationIdentifier }
        set { current().applicationIdentifier = newValue }
    }

    /// Returns when everything that the app has asked for so far is done.
    ///
    /// An app that ends right after an answer waits here first: an answer that was handled but not
    /// yet acknowledged comes again at the next start.
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
