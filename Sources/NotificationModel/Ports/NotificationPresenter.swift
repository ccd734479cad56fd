/// Shows notifications through the desktop's server; the presenters of the tests only record them.
///
/// If the server cannot show a notification yet, the outcome is `later`, and the caller posts the
/// notification again. Any thread may call the methods. The methods that are not async return at
/// once, and take effect in the order of the calls.
public protocol NotificationPresenter: Sendable {
    /// Starts; the listener gets every later event, in order.
    ///
    /// The outcome of a presentation comes before the events of its popup. If an event with the
    /// same key comes before the outcome, the event belongs to the popup that the presentation
    /// replaces.
    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async

    /// Takes over popups that an earlier run of this program left on the screen.
    func adopt(_ popups: [NotificationKey: PresentedPopup]) async

    /// Shows notifications, in order.
    ///
    /// An event reports the outcome of each presentation.
    ///
    /// The caller posts a key again only after the outcome of its previous post.
    func post(_ presentations: [Presentation])

    /// Closes popups, including those whose call of `Notify` is still under way.
    func withdraw(_ keys: [NotificationKey])

    /// Closes the popups of notifications that have left the delivered list.
    ///
    /// A post of the same key that is under way continues, because it belongs to another
    /// notification.
    func closePopups(of keys: [NotificationKey])

    /// Closes the oldest popup of this program that is on the screen.
    func closeOldest()

    /// Sets the number on an app's icon if the desktop draws badges; 0 removes it.
    func setBadge(_ count: Int, of app: ApplicationID)

    /// The current state of the server.
    func status() async -> PresenterStatus
}

/// One popup to show.
public struct Presentation: Hashable, Sendable {
    /// Names this attempt; the event with the outcome carries the same token.
    public var token: UInt64
    /// The notification of the popup.
    public var notification: DeliveredNotification
    /// The app of the notification.
    public var application: ApplicationIdentity
    /// The category that the content names; nil if the app has no such category.
    public var category: NotificationCategory?
    /// The forms of presentation that the app allows.
    public var options: PresentationOptions
    /// Whether the popup asks the user a question.
    ///
    /// The user answers only with the popup's buttons; a click on the popup itself is no answer.
    public var isQuestion: Bool
    /// Whether the notification belongs only in the server's list, without a popup.
    ///
    /// The value is true if the app chose no banner, or did not answer in time. Such a notification
    /// has low urgency, unless its content sets the urgency.
    public var isForListOnly = false
    /// Whether the app wants only the sound: neither a popup nor an entry in the list.
    public var isForSoundOnly = false
    /// Whether a caller waits for the response to this notification.
    public var isAwaited = false
    /// The sound to play for the content's named sound; nil if the content has no named sound.
    public var sound: SoundChoice?
    /// The image to show in place of the attachment's file; nil to show the file.
    public var image: Image?
    /// Whether the app has its own notification settings, which the popup may open.
    public var offersSettings = false
    /// Whether Do Not Disturb is on; time-sensitive notifications break through it.
    public var isInSilence = false
    /// Whether the popup was on the screen before and is shown again without a sound, because the
    /// server lost the popup.
    public var isRestored = false
    /// Whether the popup is on the screen with hidden texts, and now shows its texts without a
    /// sound.
    public var isRevealed = false
    /// When the notification's texts may be shown.
    public var previews = ShowPreviews.always
    /// Whether the session is locked, or may be locked because the lock status is undecided.
    public var isLocked = false
    /// The number of notifications in the notification's thread, including this notification.
    ///
    /// A popup with hidden texts may show the number.
    public var threadCount = 1

    /// Makes a presentation.
    public init(
        token: UInt64, notification: DeliveredNotification, application: ApplicationIdentity,
        category: NotificationCategory? = nil, options: PresentationOptions = .all,
        isQuestion: Bool = false
    ) {
        self.token = token
        self.notification = notification
        self.application = application
        self.category = category
        self.options = options
        self.isQuestion = isQuestion
    }
}

extension Presentation {
    /// Whether the server gets the notification; if false, at most its sound is played.
    public var hasPopup: Bool { notification.request.content.hasText && !isForSoundOnly }

    /// Whether the notification's texts are hidden because the session is locked.
    public var isHiddenByLock: Bool { previews == .whenAuthenticated && isLocked }
}

/// A popup on the server.
///
/// A popup's id is valid only on the server that gave the id.
public struct PresentedPopup: Hashable, Sendable {
    /// The id that `Notify` returned.
    public var id: UInt32
    /// The bus, and the unique name of the server on that bus.
    public var server: String
    /// Whether the popup's texts are hidden until the session is unlocked.
    public var isHidden: Bool

    /// Makes a popup.
    public init(id: UInt32, server: String, isHidden: Bool = false) {
        self.id = id
        self.server = server
        self.isHidden = isHidden
    }
}

/// The result of a presentation.
public enum PresentationOutcome: Hashable, Sendable {
    /// The server accepted the notification.
    case presented(PresentedPopup)
    /// The notification belongs only in the list, but this server needs a popup to list it.
    ///
    /// Nothing is shown; at most its sound was played.
    case deliveredSilently
    /// The notification has no popup, because it has no text or is only for its sound.
    ///
    /// At most its sound was played.
    case withoutPopup
    /// No server runs; the notification was not shown.
    case unavailable
    /// The server died during the call; the notification may or may not have been shown.
    case interrupted
    /// The server did not answer. The notification must not be sent to this server again.
    case unanswered
    /// The server refused the notification for good, with this reason.
    case refused(String)
    /// The notification was not shown. The caller posts it again later.
    case later(PostDelay)
}

/// The reason for posting a presentation again later.
public enum PostDelay: Hashable, Sendable {
    /// The notification is too similar to the previous one.
    case duplicate
    /// The server has too many popups.
    case full
    /// The server is being started or asked what it can do; `ready` follows.
    case identifying
}

/// An event that the presenter reports.
public enum PresenterEvent: Sendable {
    /// A server is on the bus, or the bus can start one.
    case available
    /// No server runs, but the bus can start one; this event comes before `available`.
    ///
    /// If an earlier run of this program posted to a server, that server is gone.
    case serverMissing
    /// The current server has lost these popups, or the user cannot respond to them any more.
    case lost([NotificationKey])
    /// The current server shows these popups of an earlier run, but reports no responses to them.
    ///
    /// With `onlyTypedReplies`, the server reports all responses except typed replies. The engine
    /// must post the popups again.
    case unheard([NotificationKey], onlyTypedReplies: Bool)
    /// A server has reported what it can do, and whether it keeps a list of what it showed.
    ///
    /// If the server lost popups of an earlier run, the event `lost` comes before this event.
    /// `server` is the bus and the server's unique name, or nil for the portal. If `isSilent` is
    /// true, the server did not answer in time, and its abilities are unknown.
    case serverIdentified(isPersistent: Bool, server: String? = nil, isSilent: Bool = false)
    /// The server has left the bus, and its popups are gone.
    case unavailable
    /// The presentation of this token has a result.
    case outcome(token: UInt64, PresentationOutcome)
    /// The user responded.
    case response(NotificationKey, NotificationResponse.Action, activationToken: String?)
    /// The user dismissed the popup.
    ///
    /// `isCertain` is false if the server removes popups when their app disconnects. Such a server
    /// reports a removal as a dismissal.
    case dismissed(NotificationKey, isCertain: Bool = true)
    /// The popup left the screen without a response.
    case expired(NotificationKey)
    /// The user wants the app's own notification settings, but has not responded to the
    /// notification.
    case openSettings(NotificationKey, activationToken: String?)
    /// The server showed a popup with this sound, but plays no sounds itself.
    case sound(ApplicationID, SoundRequest)
    /// Posts that were deferred while the server was being identified can be sent.
    ///
    /// If `isCareful` is true, an app's next post waits for the server's answer to the app's
    /// previous post.
    case ready(isCareful: Bool)
    /// One of our popups left the screen, so a server that limits the number of popups has room
    /// again.
    case roomMade
}
