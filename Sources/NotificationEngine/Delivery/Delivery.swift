import NotificationModel
internal import NotificationStore

/// The delivery of one request, from the claim of its row in the store until its outcome is stored.
struct Delivery {
    /// The progress of a delivery.
    enum Stage: Equatable {
        /// The row was claimed shortly before the due time, and waits for that time.
        case early
        /// Other threads are reading the app's texts in the user's language.
        case localizing
        /// The delivery waits, because too many service extensions of the app run.
        case queued
        case extending(Extending)
        /// The store is saving the notification as the service extension changed it.
        ///
        /// After a crash, the engine shows the saved notification without running the extension.
        case revising
        case asking(ServiceSession, deadline: Int64)
        /// The delivery waits in the app's lane for its media, the server, or earlier posts.
        case ready
        case posted
        case settling
    }

    struct Extending: Equatable {
        /// The session in which the extension runs; nil if it runs as a separate program.
        var session: ServiceSession?
        var deadline: Int64
        /// Whether the extension was told that its time is over.
        var isExpiring = false

        /// Whether the extension runs as a separate program.
        var isProgram: Bool { session == nil }
    }

    var claimed: ClaimedRequest
    /// The date of the notification.
    let date: Instant
    var stage: Stage
    /// The events of the popup that came before the notification was stored as delivered.
    var events: [PopupEvent] = []
    /// The effect that sets the app's badge when the notification is shown; empty if the badge
    /// stays.
    var badge: [EngineEffect] = []
    /// Whether the notification counts as shown, so that events of its popup belong to it.
    ///
    /// It counts after the outcomes `presented`, `unanswered` and `deliveredSilently`.
    var isShown = false
    /// Whether the app wants only the notification's sound.
    var isForSoundOnly = false
    /// The outcome that waits while an event of the previous popup is being stored; nil if no
    /// outcome waits.
    var deferredOutcome: Settlement.Outcome?
    /// Whether this delivery was withdrawn during `revising` or after its post.
    ///
    /// A removal, a replacement or the stop of the engine withdraws a delivery.
    var isRemoved = false
    /// Whether the app removed the notification after its post, but before it was stored.
    var isRemovedOnceStored = false
    /// Whether the server left while the store was settling this delivery.
    var isLost = false
    var isHidden = false
    /// Whether the notification is late, so that only the list and the app's summary show it.
    var isJoiningSummary = false

    /// Whether the count of its thread includes the notification.
    ///
    /// The count includes posted notifications, and those that the delivered list will contain.
    var isInThread: Bool {
        stage == .posted && !isForSoundOnly || isShown || isJoiningSummary
    }

    var app: ApplicationID { claimed.app }
    var key: NotificationKey { claimed.key }
    var notification: DeliveredNotification {
        DeliveredNotification(
            app: app, request: claimed.request, date: date, snoozedUntil: claimed.snoozedUntil,
            due: claimed.missedDate(at: date))
    }

    /// The deadline of the app or the extension, on CLOCK_MONOTONIC in microseconds.
    ///
    /// This clock stops during a suspend, so the app and the extension lose no time. The deadline
    /// is nil if the delivery waits for no app and no extension.
    var deadline: Int64? {
        guard case .asking(_, let deadline) = stage else { return extending?.deadline }
        return deadline
    }

    /// The session that decides how the notification is shown; nil while no session is asked.
    var asked: ServiceSession? {
        guard case .asking(let session, _) = stage else { return nil }
        return session
    }

    /// The extension that changes the notification; nil while no extension runs.
    var extending: Extending? {
        guard case .extending(let work) = stage else { return nil }
        return work
    }
}

/// The work that has to be done before a popup can be posted.
struct PostNeeds: Hashable, Sendable {
    var image: ImageRequest?
    /// The name of the sound whose file is to be found; nil if no file is needed.
    var soundName: String?
    /// Whether the state of Do Not Disturb matters.
    var asksSilence = false
    /// The notification whose thread is counted; nil if the popup does not show the count.
    var threadOf: DeliveredNotification?

    var isEmpty: Bool { self == PostNeeds() }
}

/// The results of the work that `PostNeeds` asks for.
struct PostFacts: Hashable, Sendable {
    /// The image that was made; nil if the popup shows the attachment's file.
    var image: Image?
    var sound: SoundChoice?
    var isInSilence = false
    /// The delivered notifications in the thread of `PostNeeds.threadOf`.
    var thread: Set<NotificationKey> = []
}
