import NotificationModel
internal import NotificationStore

/// The delivery of one request; its row in the store is claimed until the delivery is settled.
struct Delivery {
    /// The progress of a delivery.
    ///
    /// If a pushed notification goes to its app's service extension, the extension's result is
    /// stored before it is shown. After a crash, the stored result is shown, and the extension does
    /// not run again.
    enum Stage: Equatable {
        /// Its row was claimed shortly before the due time, and waits for that time.
        case early
        /// It waits until other threads have read its app's texts in the user's language.
        case localizing
        /// It waits for the end of another service extension of its app.
        case queued
        case extending(Extending)
        case revising
        case asking(ServiceSession, deadline: Int64)
        /// It waits in its app's queue for its media, the server, or the posts before it.
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
    /// The date of its notification.
    let date: Instant
    var stage: Stage
    /// The events of its popup that came before it was stored as delivered.
    var events: [PopupEvent] = []
    /// The effect that sets the app's badge when the notification is shown; empty if the badge
    /// stays.
    var badge: [EngineEffect] = []
    /// Whether the notification counts as shown, so that events of its popup belong to it.
    ///
    /// It counts if the server showed it or did not answer. It also counts if it was only for the
    /// list, and this server lists nothing without a popup.
    var isShown = false
    /// Whether the app wants only its sound.
    var isForSoundOnly = false
    /// The outcome that waits while an event of the previous popup is being stored; nil if no
    /// outcome waits.
    var deferredOutcome: Settlement.Outcome?
    /// Whether it was withdrawn during `revising`, or after the server was asked to show it.
    ///
    /// A removal, a replacement or the stop of the engine withdraws it.
    var isRemoved = false
    /// Whether its app removed it from the delivered list before the store had added it there.
    var isRemovedOnceStored = false
    /// Whether the server left while the store was settling it.
    var isLost = false
    var isHidden = false
    /// Whether it is late, so that only the list and its app's summary show it.
    var isJoiningSummary = false

    /// Whether it counts in its thread: the server was asked to show it, or the list will have it.
    ///
    /// A withdrawn, suppressed or refused row does not count while the store settles it.
    var isInThread: Bool {
        stage == .posted && !isForSoundOnly || isShown || isJoiningSummary
    }

    var app: ApplicationID { claimed.app }
    var key: NotificationKey { claimed.key }
    var notification: DeliveredNotification {
        DeliveredNotification(
            app: app, request: claimed.request, date: date, snoozedUntil: claimed.snoozedUntil)
    }

    /// The deadline of its app or extension, on CLOCK_MONOTONIC in microseconds.
    ///
    /// This clock stops during a suspend, so a suspend takes no time from the program. The deadline
    /// is nil if the delivery waits for neither the app nor an extension.
    var deadline: Int64? {
        guard case .asking(_, let deadline) = stage else { return extending?.deadline }
        return deadline
    }

    /// The session that decides how it is shown; nil while no session is asked.
    var asked: ServiceSession? {
        guard case .asking(let session, _) = stage else { return nil }
        return session
    }

    /// The extension that changes it; nil while no extension runs.
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
    /// The delivered notifications in its thread.
    var thread: Set<NotificationKey> = []
}
