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
