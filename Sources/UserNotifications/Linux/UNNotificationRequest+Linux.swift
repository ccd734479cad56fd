internal import NotificationModel

// A desktop is switched off and sleeps; what it misses meanwhile may matter later, or not.
extension UNNotificationRequest {
    /// The treatment of a missed date.
    public enum CatchUp: String, Hashable, Sendable, CaseIterable {
        /// It is shown late, once; several missed dates of the request merge into one.
        case once
        /// It is not shown, unless it is at most a minute late; a request that repeats goes on with
        /// its next date.
        case skip
    }

    /// Makes a request that says what becomes of a date that was missed: because the machine was
    /// off or asleep, or because there was no notification server.
    ///
    ///     UNNotificationRequest(
    ///         identifier: "bus", content: content, trigger: trigger, catchUp: .once,
    ///         grace: 5 * 60)
    ///
    /// `grace` is how many seconds late it may still be shown; nil for any time. What is later is
    /// not shown: a request that repeats goes on with its next date, one that fires once ends.
    public convenience init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?,
        catchUp: CatchUp, grace: TimeInterval? = nil
    ) {
        self.init(identifier: identifier, content: content, trigger: trigger)
        lateness = LateRule(catchUp: catchUp, grace: grace)
    }

    /// The treatment of a missed date.
    public var catchUp: CatchUp { lateness.catchUp }

    /// How many seconds late it may still be shown; nil for any time.
    public var grace: TimeInterval? { lateness.grace }
}

// Some desktops draw a bar in a popup; Apple's platforms have nothing like it.
extension UNNotificationContent {
    /// How much of something is done, from 0 to 1; nil where the content says nothing of that.
    ///
    /// dunst, mako and SwayNotificationCenter draw a bar; other desktops show the texts alone.
    /// To move the bar, add a request of the same identifier again.
    public var progress: Double? { values.model.progress }
}

extension UNMutableNotificationContent {
    /// Sets how much of something is done; what is below 0 or above 1 counts as that.
    public func setProgress(_ progress: Double?) {
        values.model.progress = progress.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    }
}

extension UNNotificationResponse {
    /// The token with which the app may raise its window, where there is one.
    ///
    /// Pass it to the toolkit before showing the window (`XDG_ACTIVATION_TOKEN`, or
    /// `gtk_window_set_startup_id`): Wayland compositors let no window rise without it. On an X display
    /// whose notification server gave none it is a startup id with the time of the click, which ends
    /// in `_TIME` and that time in milliseconds: window managers ask for it there.
    public var activationToken: String? { storedToken }
}

extension URL {
    /// Apple's sandbox asks for this before a stored attachment is read; on Linux it is always
    /// allowed.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// The counterpart of ``startAccessingSecurityScopedResource()``; does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
