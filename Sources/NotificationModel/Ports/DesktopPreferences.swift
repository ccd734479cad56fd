/// The user's notification settings in the desktop itself.
///
/// Implemented by the desktop's integration, and by a recording in tests.
public protocol DesktopPreferences: Sendable {
    /// Follows the settings of the desktop whose notification server has this name and vendor. The
    /// listener gets each change in the switch of an app that was asked about, nil for no switch.
    ///
    /// Does nothing where that desktop is followed already.
    func follow(
        server: String, by vendor: String,
        _ listener: @escaping @Sendable (ApplicationID, AppSwitch?) -> Void
    ) async

    /// Whether Do Not Disturb is on; nil where the desktop does not tell.
    func isSilent() async -> Bool?

    /// The desktop's switch for this app; nil where it has none, or none can be read.
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

/// The user's settings for one app, in the desktop itself.
///
/// A value is nil where the desktop has no such setting.
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

/// Reports whether the user's session is locked.
///
/// Implemented by the desktop's screen saver and logind, and by a recording in tests.
public protocol LockSource: Sendable {
    /// Starts to listen, and gives what is known when everybody was asked; what changes later goes
    /// to the listener, in order.
    func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus
}

/// Whether the user's session is locked, and which services say so.
public struct LockStatus: Hashable, Sendable {
    /// Whether it is locked; false where nobody tells.
    public var isLocked: Bool
    /// The reporting services by their bus names; empty where none reports.
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
