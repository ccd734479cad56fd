internal import NotificationModel

/// A notification whose call to the portal is being prepared, or is unanswered.
struct PendingPortalPost {
    let presentation: Presentation
    let notification: PortalNotification
    /// Whether the call has an image or a sound file, which the portal may refuse.
    var hasFiles = false
    /// Whether the notification was withdrawn.
    ///
    /// A withdrawn notification is not posted, or is removed when the portal has accepted it.
    var isWithdrawn = false
    /// The tokens of later posts of the same notification key.
    ///
    /// If the set is empty, a refused post with files is sent again without files.
    var replacements: Set<UInt64> = []
    /// Whether a post in `replacements` may be on the screen.
    var isOutdated = false
    /// Whether to remove the former notification of the same key if this post fails.
    var removesFormer = false

    var key: NotificationKey { presentation.notification.key }
}
