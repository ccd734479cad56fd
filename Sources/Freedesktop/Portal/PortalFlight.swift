internal import NotificationModel

/// One notification on its way to the portal.
struct PortalFlight {
    let presentation: Presentation
    let notification: PortalNotification
    /// Whether it goes with a picture or a sound file, which the portal may refuse.
    var hasFiles = false
    /// Whether it is to be taken away as soon as it is there.
    var isWithdrawn = false

    var key: NotificationKey { presentation.notification.key }
}
