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
