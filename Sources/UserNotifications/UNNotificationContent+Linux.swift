internal import NotificationModel

// Some desktops draw a bar in a popup; Apple's platforms have nothing like it.
extension UNNotificationContent {
    /// How much of something is done, from 0 to 1; nil where the content says nothing of that.
    ///
    /// dunst, mako, Xfce and SwayNotificationCenter draw a bar; other desktops show the texts alone.
    /// To move the bar, add a request of the same identifier again.
    public var progress: Double? { values.model.progress }
}

extension UNMutableNotificationContent {
    /// Sets how much of something is done; what is below 0 or above 1 counts as that.
    public func setProgress(_ progress: Double?) {
        values.model.progress = progress.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    }
}
