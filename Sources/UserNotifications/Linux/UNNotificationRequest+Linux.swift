internal import NotificationModel

// A desktop may be asleep or off when a notification is due. The app chooses whether a missed
// notification is still shown.
extension UNNotificationRequest {
    /// The treatment of a missed date.
    public enum CatchUp: String, Hashable, Sendable, CaseIterable {
        /// The notification is shown late; several missed dates of the request become one
        /// notification.
        case once
        /// The notification is not shown if it is late by more than `grace`, by default a minute.
        ///
        /// A repeating request continues with its next date.
        case skip
    }

    /// Makes a request with a rule for missed dates.
    ///
    /// A date is missed if the machine was off or asleep, or if there was no notification server.
    ///
    ///     UNNotificationRequest(
    ///         identifier: "bus", content: content, trigger: trigger, catchUp: .once,
    ///         grace: 5 * 60)
    ///
    /// `grace` is the largest lateness, in seconds, at which the notification is still shown. If it
    /// is nil, there is no limit for `.once`, and the limit for `.skip` is a minute. Beyond the
    /// limit the notification is not shown: a repeating request continues with its next date, and
    /// any other request ends.
    public convenience init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?,
        catchUp: CatchUp, grace: TimeInterval? = nil
    ) {
        self.init(identifier: identifier, content: content, trigger: trigger)
        lateness = LateRule(catchUp: catchUp, grace: grace)
    }

    /// The treatment of a missed date.
    public var catchUp: CatchUp { lateness.catchUp }

    /// The largest accepted lateness, in seconds.
    ///
    /// Nil means a minute with `.skip`, and no limit with `.once`.
    public var grace: TimeInterval? { lateness.grace }
}

// Some desktops draw a progress bar in a popup; Apple's platforms have nothing like it.
extension UNNotificationContent {
    /// The progress of something, from 0 to 1; nil for none.
    ///
    /// dunst, mako and SwayNotificationCenter draw a bar; other desktops only show the texts. To
    /// move the bar, add a request of the same identifier again.
    public var progress: Double? { values.model.progress }
}

extension UNMutableNotificationContent {
    /// Sets the progress, limited to 0...1; nil removes it.
    public func setProgress(_ progress: Double?) {
        values.model.progress = progress.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    }
}

extension UNNotificationResponse {
    /// The token with which the app may raise its window; nil if there is none.
    ///
    /// Pass the token to the toolkit before you show the window (`XDG_ACTIVATION_TOKEN`, or
    /// `gtk_window_set_startup_id`): Wayland compositors raise no window without a token. On X, if
    /// the notification server gave no token, Tocsin makes a startup id. This id ends in `_TIME`
    /// and the time of the click in milliseconds, which window managers of X require.
    public var activationToken: String? { storedToken }
}

extension URL {
    /// Apple's sandbox requires this call before an app reads a stored attachment.
    ///
    /// On Linux it always succeeds.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// The counterpart of ``startAccessingSecurityScopedResource()``; does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
