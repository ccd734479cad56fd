extension UNNotificationResponse {
    /// The token with which the app may raise its window, where there is one.
    ///
    /// Pass it to the toolkit before showing the window (`XDG_ACTIVATION_TOKEN`, or
    /// `gtk_window_set_startup_id`): Wayland compositors let no window rise without it. On an X display
    /// whose notification server gave none it is a startup id with the time of the click, which ends
    /// in `_TIME` and that time in milliseconds: window managers ask for it there.
    public var activationToken: String? { storedToken }
}
