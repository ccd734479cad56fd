internal import NotificationModel

// Remote notifications: Linux has no service that brings them, so the app may hand over its own.
extension UNUserNotificationCenter {
    /// Makes the app's service extension, nil for none; set it early.
    ///
    /// On Apple's platforms the system finds the extension in its bundle. Here the app says which
    /// one it is, `{ NotificationService() }`, and each remote notification with `mutable-content`
    /// passes through one of its own while the app runs. For the time when it does not run, name a
    /// program in the desktop file: ``UNNotificationServiceExtension/runService(_:)``.
    public class var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
        get { current().serviceExtension }
        set { current().serviceExtension = newValue }
    }

    /// The same of this centre.
    package var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
        get { extensions.make }
        set {
            extensions.make = newValue
            connection.take(.extend(newValue != nil))
        }
    }

    /// Shows a remote notification that the app received by a way of its own.
    ///
    /// The payload is JSON as the Apple Push Notification service takes it, 4096 bytes at most, with
    /// the dictionary `aps`. A later one of the same collapse identifier replaces it. Returns the
    /// identifier of the request, nil where the payload has nothing to show.
    ///
    /// Throws a ``UNServiceError`` that names what is wrong with a payload that cannot be used.
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
