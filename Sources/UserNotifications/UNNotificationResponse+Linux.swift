extension UNNotificationResponse {
    /// The token with which the app may raise its window, where the desktop gave one.
    ///
    /// Pass it to the toolkit before showing the window (`XDG_ACTIVATION_TOKEN`, or
    /// `gtk_window_set_startup_id`): Wayland compositors let no window rise without it.
    public var activationToken: String? { storedToken }
}
