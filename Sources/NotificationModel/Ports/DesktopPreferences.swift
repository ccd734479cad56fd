/// The user's notification settings in the desktop itself.
///
/// `DesktopIntegration` implements this protocol; tests use `RecordingPreferences`.
public protocol DesktopPreferences: Sendable {
    /// Follows the settings of the desktop whose notification server has this name and vendor.
    ///
    /// After a caller has asked for an app's switch, the listener gets every later change of that
    /// switch. The listener gets nil if the app has no switch, or if the switch cannot be read.
    /// Another call for the same desktop only replaces the listener.
    func follow(
        server: String, by vendor: String,
        _ listener: @escaping @Sendable (ApplicationID, AppSwitch?) -> Void
    ) async

    /// Whether Do Not Disturb is on; nil if the desktop does not report it.
    func isSilent() async -> Bool?

    /// The desktop's switch for this app; nil if there is no such switch, or it cannot be read.
    func appSwitch(of app: ApplicationID) async -> AppSwitch?

    /// Turns the app's switch on or off, and returns its new state; nil if the desktop has no
    /// switches for apps.
    ///
    /// - Throws: `noSettings` if the desktop does not accept the change; `protocolViolation` if
    ///   gsettings fails or hangs.
    func setDesktopSwitch(
        _ isOn: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch?

    /// Sets whether the app's texts are shown while the session is locked.
    ///
    /// Returns the new state of the app's switch; nil if the desktop has no such setting.
    ///
    /// - Throws: `noSettings` if the desktop does not accept the change; `protocolViolation` if
    ///   gsettings fails or hangs.
    func show(
        textsWhileLocked shows: Bool, of app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch?

    /// Opens the desktop's notification settings, on the app's page if the desktop has such a page.
    ///
    /// - Throws: `noSettings` if no page can be opened.
    func openPage(of app: ApplicationID) async throws(NotificationError)
}

/// The user's settings for one app, in the desktop itself.
///
/// A value is nil if the desktop has no such setting.
public struct AppSwitch: Hashable, Sendable {
    /// The name of the desktop that keeps the settings.
    public var desktop: String
    /// Whether the app may notify at all.
    public var isOn: Bool
    /// Whether the app may show banners.
    public var showsBanners: Bool?
    /// Whether the app may play sounds.
    public var playsSounds: Bool?
    /// Whether the app's icon may have a badge.
    public var showsBadges: Bool?
    /// Whether the app's notifications go into the desktop's list.
    public var isListed: Bool?
    /// Whether the app's notifications are shown on the lock screen.
    public var isOnLockScreen: Bool?
    /// Whether the texts of the app's notifications are shown on the lock screen.
    public var showsTextsWhileLocked: Bool?
    /// Whether critical notifications are shown under Do Not Disturb.
    public var showsCriticalInSilence: Bool?

    /// Makes settings in which only the main switch of the app is known.
    public init(desktop: String, isOn: Bool) {
        self.desktop = desktop
        self.isOn = isOn
    }
}

/// Reports whether the user's session is locked.
///
/// The desktop's screen saver and logind are such sources; tests use `RecordingLock`.
public protocol LockSource: Sendable {
    /// Starts to listen, and returns the status when every source has answered, or after a timeout.
    ///
    /// The listener gets later changes, in order.
    func follow(_ listener: @escaping @Sendable (LockStatus) -> Void) async -> LockStatus
}

/// Whether the user's session is locked, and which services report it.
public struct LockStatus: Hashable, Sendable {
    /// Whether the session is locked; false if no service reports it.
    public var isLocked: Bool
    /// The bus names of the services that report the lock; empty if no service does.
    public var sources: [String]

    /// Whether every service that was asked has answered.
    ///
    /// While the value is false, the session may be locked. So the engine hides texts and defers
    /// responses as in a locked session.
    public var isDecided: Bool

    /// Makes a status.
    public init(isLocked: Bool = false, sources: [String] = [], isDecided: Bool = true) {
        self.isLocked = isLocked
        self.sources = sources
        self.isDecided = isDecided
    }

    /// Whether every service has answered, and none reports a lock.
    public var isUnlocked: Bool { isDecided && !isLocked }
}
