/// Shows notifications: the desktop's server, or a recorder in tests.
///
/// It keeps no queue: what it cannot show now it wants later. Its methods may be called on any thread;
/// those that return nothing return at once, and take effect in the order of the calls.
public protocol NotificationPresenter: Sendable {
    /// Starts; every later event goes to the listener, in order.
    ///
    /// The outcome of a presentation comes before the events of its popup: what comes earlier under
    /// the same key is about the popup that it replaces.
    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async

    /// Takes over popups that an earlier run left on the screen.
    func adopt(_ popups: [NotificationKey: PresentedPopup]) async

    /// Shows these, in order; the outcome of each comes as an event.
    ///
    /// No two posts of one key are under way at a time.
    func post(_ presentations: [Presentation])

    /// Takes popups away, and closes those that the server is being asked to show.
    func withdraw(_ keys: [NotificationKey])

    /// Takes away the popups of notifications that are no longer delivered.
    ///
    /// A post of the same key belongs to another notification and goes on.
    func closePopups(of keys: [NotificationKey])

    /// Closes the popup that is longest on the screen, on a server that has too many of ours.
    func closeOldest()

    /// Sets the number on an app's icon, where the desktop draws one; 0 removes it.
    func setBadge(_ count: Int, of app: ApplicationID)

    /// The current state of the server.
    func status() async -> PresenterStatus
}

/// One popup to show.
public struct Presentation: Hashable, Sendable {
    /// Names this attempt; the outcome carries it.
    public var token: UInt64
    /// Whose popup it is, and how it is called.
    public var notification: DeliveredNotification
    /// The app that shows it.
    public var application: ApplicationIdentity
    /// The category that the content names, where there is one.
    public var category: NotificationCategory?
    /// The forms of presentation that the app let through.
    public var options: PresentationOptions
    /// Whether this asks the user something: then only its buttons answer, not a click on it.
    public var isQuestion: Bool
    /// Whether the app was asked and wants no popup: low urgency is the most it may be.
    public var isForListOnly = false
    /// Whether somebody waits for the answer to this very one.
    public var isAwaited = false
    /// The resolved named sound; nil where it has no named sound.
    public var sound: SoundChoice?
    /// The picture to show in place of the attachment's file; nil for the file, or for none.
    public var picture: Picture?
    /// Whether the app has notification settings of its own to which the popup may lead.
    public var offersSettings = false
    /// Whether Do Not Disturb is on, which a time-sensitive one breaks through.
    public var isInSilence = false
    /// Whether it was on the screen before and comes back in silence, because its server lost it.
    public var isRestored = false
    /// Whether it is on the screen with its texts hidden, and gets them back in silence.
    public var isRevealed = false
    /// When its texts may be read.
    public var previews = ShowPreviews.always
    /// Whether the session is locked.
    public var isLocked = false
    /// How many notifications of its thread there are, with this one; hidden previews may tell.
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
    /// Whether its texts are hidden, and no longer are when the session is unlocked.
    public var isHiddenByLock: Bool { previews == .whenAuthenticated && isLocked }
}

/// A popup on the server: its id means something only together with the server that gave it.
public struct PresentedPopup: Hashable, Sendable {
    /// The id that `Notify` returned.
    public var id: UInt32
    /// The bus and the unique name of the server on it.
    public var server: String
    /// Whether its texts are hidden until the session is unlocked.
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
    /// The server took it.
    case presented(PresentedPopup)
    /// The app wants it in the list only, and this server has no list of its own: nothing is shown.
    case listed
    /// It has no text, so that there is no popup: its sound was all there is to hear.
    case withoutPopup
    /// There is no server; it was not shown.
    case unavailable
    /// The server died with the call in flight; it may or may not have been shown.
    case interrupted
    /// The server did not answer; it must not be sent to this server again.
    case unanswered
    /// The server refused for good, with its reason.
    case refused(String)
    /// It was not shown, and is to be posted again later.
    case later(PostDelay)
}

/// Why a presentation has to be posted again later.
public enum PostDelay: Hashable, Sendable {
    /// It looks too much like the one before it.
    case duplicate
    /// The server has too many popups.
    case full
    /// The server is being started or asked what it can do; the presenter becomes ready after that.
    case identifying
}

/// An event that the presenter reports.
public enum PresenterEvent: Sendable {
    /// A server is there.
    case available
    /// The server that is there does not have these any more, or lets nobody answer them.
    case lost([NotificationKey])
    /// The server that is there shows these of an earlier run, and would tell nobody of their
    /// answers, or of replies alone: they have to be posted again.
    case unheard([NotificationKey], repliesAlone: Bool)
    /// A server has said what it can do, and whether it keeps a list of what it showed. What it
    /// lost of an earlier run was told before. The server's name is unique, and nil where its
    /// popups have none. A silent one has its name and did not answer in time.
    case met(keepsList: Bool, server: String? = nil, isSilent: Bool = false)
    /// The server has gone, and every popup with it.
    case unavailable
    /// The presentation of this token has a result.
    case outcome(token: UInt64, PresentationOutcome)
    /// The user answered.
    case response(NotificationKey, NotificationResponse.Action, activationToken: String?)
    /// The user dismissed it. It is not certain where the server reports the same for popups it
    /// removed because their app disconnected.
    case dismissed(NotificationKey, isCertain: Bool = true)
    /// It left the screen without an answer.
    case expired(NotificationKey)
    /// The user wants the app's own notification settings, and has not answered.
    case openSettings(NotificationKey)
    /// It was shown, and its server plays no sounds: this one is wanted with it.
    case sound(ApplicationID, SoundOrder)
    /// Posts deferred while the server was being identified can go out. With care, one post of an
    /// app is answered before the next.
    case ready(isCareful: Bool)
    /// A popup of ours has left the screen, which makes room on a server that limits them.
    case roomMade
}
