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
