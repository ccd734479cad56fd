internal import NotificationModel

/// One notification on its way to the portal.
struct PendingPortalPost {
    let presentation: Presentation
    let notification: PortalNotification
    /// Whether it has an image or a sound file, which the portal may refuse.
    var hasFiles = false
    /// Whether it is removed as soon as the portal has it.
    var isWithdrawn = false

    var key: NotificationKey { presentation.notification.key }
}
