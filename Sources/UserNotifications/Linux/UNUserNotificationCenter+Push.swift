internal import NotificationModel

// An app can also receive remote notifications over its own connection, and pass them to the
// centre.
extension UNUserNotificationCenter {
    /// Makes the app's service extension; nil for none.
    ///
    /// On Apple's platforms the system finds the extension's class in a bundle. Here the app makes
    /// the extension, as in `{ NotificationService() }`. Set the closure early, so that no remote
    /// notification is shown without the extension.
    ///
    /// While the app runs, each remote notification with `mutable-content` gets its own extension
    /// object. While the app does not run, a separate program changes the notifications:
    /// ``UNNotificationServiceExtension/runService(_:)``.
    public class var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
        get { current().serviceExtension }
        set { current().serviceExtension = newValue }
    }

    package var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
        get { extensions.make }
        set {
            extensions.make = newValue
            connection.enqueue(.extend(newValue != nil))
        }
    }

    /// Shows a remote notification that the app received over its own connection.
    ///
    /// The payload is JSON as the Apple Push Notification service takes it, at most 4096 bytes,
    /// with the dictionary `aps`. A later notification with the same collapse identifier replaces
    /// this notification.
    ///
    /// - Returns: The identifier of the request; nil if the payload has nothing to show.
    /// - Throws: A ``UNServiceError`` that names the mistake in an unusable payload.
    @discardableResult
    public func push(
        _ payload: Data, collapseIdentifier: String? = nil
    ) async throws -> String? {
        let bytes = Array(payload)
        return try await call { connected throws(NotificationError) in
            try await connected.service.push(
                bytes, collapseIdentifier: collapseIdentifier, for: connected.application)
        }
    }
}
