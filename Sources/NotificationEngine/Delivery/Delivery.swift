import NotificationModel
internal import NotificationStore

/// A claimed row on its way from due to delivered.
struct Delivery {
    /// How far it is.
    ///
    /// A pushed notification may pass its app's service extension first; what that makes of it is
    /// stored before it is shown, so that a crash neither runs the extension again nor shows the
    /// original after all.
    enum Stage: Equatable {
        /// The files with its texts in the user's language are being read.
        case localizing
        /// A service extension that is busy comes first.
        case queued
        case extending(Extending)
        /// What the extension made of it is being stored.
        case revising
        case asking(ServiceSession, deadline: Int64)
        /// In its lane: media, the server, or those before it come first.
        case ready
        case posted
        case settling

        /// Whether the server was asked to show it.
        var isSent: Bool { self == .posted || self == .settling }
    }

    /// The work of a service extension.
    struct Extending: Equatable {
        /// Where it runs; nil for a program of its own.
        var session: ServiceSession?
        var deadline: Int64
        /// Whether it has heard that its time is over.
        var isExpiring = false
    }

    var claimed: ClaimedRequest
    var notification: DeliveredNotification
    var stage: Stage
    /// What happened to its popup before it was stored as delivered.
    var events: [PopupEvent] = []
    /// The number that it puts on the app's icon.
    var badge: Int?
    /// Whether the server has it: from here on what happens to a popup of its key is about it.
    var isShown = false
    /// How it ended, while an event of the popup before it is being stored.
    var deferredOutcome: Settlement.Outcome?
    /// Whether it was removed or replaced after the server was asked to show it.
    var isRemoved = false
    /// Whether the server went after it had shown it, and before that was stored.
    var isLost = false
    /// Whether its popup has its texts hidden until the session is unlocked.
    var isHidden = false
    /// Whether it is late, and goes into the list and its app's summary.
    var isJoiningSummary = false

    init(_ claimed: ClaimedRequest, stage: Stage, date: Instant) {
        self.claimed = claimed
        self.stage = stage
        notification = DeliveredNotification(
            app: claimed.app, request: claimed.request, date: date)
    }

    var app: ApplicationID { claimed.app }
    var key: NotificationKey { claimed.key }

    /// When its app has thought about it long enough; nil where nobody is waited for.
    var deadline: Int64? {
        switch stage {
        case .extending(let work): work.deadline
        case .asking(_, let deadline): deadline
        case .localizing, .queued, .revising, .ready, .posted, .settling: nil
        }
    }

    var isAsking: Bool {
        guard case .asking = stage else { return false }
        return true
    }

    var isExtending: Bool {
        guard case .extending = stage else { return false }
        return true
    }
}

/// What is made or looked up before a popup can be posted.
struct PostNeeds: Hashable, Sendable {
    /// The picture to make; nil for none.
    var picture: PictureOrder?
    /// The name of the sound whose file is to be found; nil for none.
    var soundName: String?
    /// Whether it matters if Do Not Disturb is on.
    var asksSilence = false
    /// The notification whose thread is to be counted; nil where the count is not told.
    var threadOf: DeliveredNotification?

    var isEmpty: Bool { self == PostNeeds() }
}

/// What came of a popup's needs.
struct PostFacts: Hashable, Sendable {
    /// The picture that was made; nil for the attachment's file.
    var picture: Picture?
    var sound: SoundChoice?
    /// Whether Do Not Disturb is on.
    var isInSilence = false
    /// The delivered notifications of its thread.
    var thread: Set<NotificationKey> = []
}
