import NotificationModel
internal import NotificationStore

/// What the engine's decisions ask its actor to do.
enum EngineEffect: Hashable, Sendable {
    /// Mark due rows as presenting, at most so many, passing over apps that have to wait.
    case claim(limit: Int, excluding: Set<ApplicationID>)
    /// Set both alarms.
    case arm(ClockAlarms)
    /// Hand these to the presenter, in order.
    case present([Presentation])
    /// Look up the texts of rows of an app, then report `localized`.
    case localize(ApplicationID, [ClaimedRequest])
    /// Gather what a popup needs, then report `gathered`.
    case gather(token: UInt64, ApplicationID, PostNeeds)
    /// Play a sound, then report `soundEnded`.
    case play(ApplicationID, SoundOrder)
    /// Ask an app whether a notification may be shown.
    case ask(ServiceSession, PresentationToken, DeliveredNotification)
    /// Give a pushed notification to the app's service extension, in a session or as a program.
    case extend(ServiceSession?, ExtensionToken, NotificationRequest, ApplicationID)
    /// Tell a service extension that its time is over.
    case expireExtension(ServiceSession?, ExtensionToken)
    /// End a service extension's program.
    case endExtension(ExtensionToken)
    /// Store what a service extension made of a row, then report `revised`.
    case revise(ExtensionToken, ClaimedRequest)
    /// Store how an attempt ended, then report `settled`.
    case settle(token: UInt64, ClaimedRequest, Settlement.Outcome, date: Instant)
    /// Store what happened to a popup, then report `recorded`.
    case record(NotificationKey, PopupEvent)
    /// Store a response, then report `responseStored`.
    case storeResponse(PendingResponse)
    /// Remove a notification whose text dialog was closed: it leaves without a response.
    case removeUnanswered(DeliveredNotification)
    /// Hand a response to an app.
    case deliver(ServiceSession, NotificationResponse)
    /// Ask a running app to open its settings for a notification: the stored one, else the one shown.
    case openSettings(NotificationKey, ServiceSession?, shown: DeliveredNotification?)
    /// Tell who waits for the answer to a notification that none can come any more.
    case tellLeft(ServiceSession, NotificationKey)
    /// Tell a watcher of a change.
    case tell(ServiceSession, ServiceChange)
    /// Start the app of a response, then report `launchEnded`.
    case launch(LaunchOrder)
    /// Store that the apps of these responses are not to be started (any more).
    case endLaunches([Int64])
    /// Ask the server what it can do, for the question of an app.
    case inspectPresenter(ApplicationID, token: UInt64)
    /// Take a popup away, also one that the server is being asked to show.
    case withdraw(NotificationKey)
    /// Close the popups of notifications that are no longer delivered.
    case closePopups([NotificationKey])
    /// Close the popup that is longest on the screen.
    case closeOldest
    /// Say that an app did not answer whether these may be shown.
    case reportSilence([NotificationKey])
    /// Show a dialog, and report how it ended.
    case showDialog(token: UInt64, Dialog)
    /// Take a dialog away.
    case closeDialog(token: UInt64)
    /// Store whether an app may notify, then report `permissionSaved`.
    case savePermission(ApplicationID, Permission)
    /// Turn the desktop's switch of an app, then report `switchTurned`.
    case turnSwitch(ApplicationID, isOn: Bool)
    /// Store that the switch of a denied app is off on this desktop.
    case noteDenial(ApplicationID, desktop: String)
    /// Answer the calls of these numbers.
    case answerPermission([UInt64], Result<Bool, NotificationError>)
    /// Put this number on the app's icon.
    case badge(ApplicationID, Int)
    /// Note that the server which showed these has gone, or let go of them; nil for all.
    case losePopups([NotificationKey]?)
    /// Decide what of that comes back on a server that keeps a list, then report `lostFound`.
    case findLost(keepsList: Bool)
    /// Find the popups whose texts are hidden, then report `lostFound`.
    case findHidden
    /// Hand the answers that waited for the unlocking to their apps.
    case releaseHeld
    /// Read what is to come back, then report `restorationRead`.
    case readLost(Restoration, token: UInt64)
    /// Store which popup it has, none if it has none, then report `restorationPlaced`.
    case place(PresentedPopup?, Restoration, token: UInt64)
}
