/// Decides how notifications are shown while the app runs, and hears of every answer.
///
/// Every method is optional. Of the two forms of a method implement one; both are called on the
/// main actor. A program whose main thread sits in another loop hands it over by
/// ``UNUserNotificationCenter/drainMainLoop()``; one that blocks its main thread hears nothing.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Says how a notification is shown; call the handler within three seconds. Later the
    /// notification is in the list already, without a popup and without a sound.
    ///
    /// On Linux this is asked before each popup of a running app. Not implemented: the notification
    /// is shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    /// Says how a notification is shown; return within three seconds. Later the notification is in
    /// the list already, without a popup and without a sound.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Takes what a person did with a notification.
    ///
    /// Call the handler when done: until then the response is kept, and handed over again at the
    /// next start of the app. A handler that is not called within 30 seconds after this method
    /// returned counts as called.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

    /// Takes what a person did with a notification; the response is kept until this returns.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// Opens the app's own notification settings.
    ///
    /// An app that asked for permission with `.providesAppNotificationSettings` has a button for
    /// them in its popups on Plasma, which is the one desktop that draws one.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}
