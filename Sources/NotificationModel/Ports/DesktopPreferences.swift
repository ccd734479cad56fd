/// What a person has set about notifications in the desktop's own settings.
///
/// The desktop's, or a recording in tests.
public protocol DesktopPreferences: Sendable {
    /// Turns to the settings of the desktop whose notification server has this name and vendor; what
    /// changes in the switch of an app that was asked about goes to the listener, nil where it has
    /// none.
    ///
    /// Nothing happens where that desktop is followed already.
    func follow(
        server: String, by vendor: String,
        _ listener: @escaping @Sendable (ApplicationID, AppSwitch?) -> Void
    ) async

    /// Whether Do Not Disturb is on; nil where the desktop does not tell.
    func isSilent() async -> Bool?

    /// What the desktop lets this app do; nil where it has no switch for it, or none can be read.
    func appSwitch(of app: ApplicationID) async -> AppSwitch?

    /// Turns the app's switch, and gives it as it is afterwards; nil where there is none.
    func turn(
        _ isOn: Bool, switchOf app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch?

    /// Sets whether the app's texts are shown while the session is locked, and gives its switch as it
    /// is afterwards; nil where the desktop has no such setting.
    func show(
        textsWhileLocked shows: Bool, of app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch?

    /// Opens the page of the desktop's settings about notifications, that of the app if there is one.
    func openPage(of app: ApplicationID) async throws(NotificationError)
}

/// What a person lets one app do, in the desktop's own settings.
///
/// What is nil is not a matter of that desktop.
public struct AppSwitch: Hashable, Sendable {
    /// The desktop that keeps it.
    public var desktop: String
    /// Whether the app may notify at all.
    public var isOn: Bool
    /// Whether it may show banners.
    public var showsBanners: Bool?
    /// Whether it may play sounds.
    public var playsSounds: Bool?
    /// Whether its icon may have a badge.
    public var showsBadges: Bool?
    /// Whether its notifications go into the desktop's list.
    public var isListed: Bool?
    /// Whether its notifications are on the lock screen.
    public var isOnLockScreen: Bool?
    /// Whether their texts are there, too.
    public var showsTextsWhileLocked: Bool?
    /// Whether critical ones are shown under Do Not Disturb.
    public var showsCriticalInSilence: Bool?

    /// Makes a switch of which nothing but its position is known.
    public init(desktop: String, isOn: Bool) {
        self.desktop = desktop
        self.isOn = isOn
    }
}

/// Tells whether the person's session is locked.
///
/// The desktop's screen saver and logind, or a recording in tests.
public protocol LockSource: Sendable {
    /// Starts to listen, and gives what is known when everybody was asked; what changes later goes
    /// to the listener, in order.
    func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus
}

/// Whether the person's session is locked, and who says so.
public struct LockStatus: Hashable, Sendable {
    /// Whether it is locked; false where nobody tells.
    public var isLocked: Bool
    /// Who tells, as its name on the bus; empty where nobody does.
    public var sources: [String]

    /// Whether all have told who were asked; what must not be done in a locked session waits for it.
    public var isDecided: Bool

    /// Makes a status.
    public init(isLocked: Bool = false, sources: [String] = [], isDecided: Bool = true) {
        self.isLocked = isLocked
        self.sources = sources
        self.isDecided = isDecided
    }

    /// Whether nobody says that it is locked, and all have told.
    public var isUnlocked: Bool { isDecided && !isLocked }
}
