package import NotificationRuntime
package import UserNotifications

/// The desktop, the clock and the process around an application; tests can replace each part.
package struct ApplicationSurroundings: Sendable {
    package var desktop: AppDesktop
    /// The app's notification centre, which connects at its first use.
    package var center: @Sendable () -> UNUserNotificationCenter
    package var timers = DelayedWork.system
    /// The instant on a clock that does not stop while the machine sleeps.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Ends the process; `exit` waits for the centre's calls that change the store.
    package var endProcess: @MainActor @Sendable (Int32) -> Void = { exit($0) }
    /// Whether SIGTERM, SIGINT and SIGHUP end the app; only one app per process may listen to them.
    package var listensToSignals = false

    package var isLaunchedForNotification = false

    package init(
        desktop: AppDesktop, center: @escaping @Sendable () -> UNUserNotificationCenter
    ) {
        self.desktop = desktop
        self.center = center
    }

    static func current() -> ApplicationSurroundings {
        let desktop = AppDesktop(configuration: .current()) {
            UNUserNotificationCenter.current().chosenApplicationID
        }
        var current = ApplicationSurroundings(desktop: desktop) { .current() }
        current.listensToSignals = true
        current.isLaunchedForNotification = UNUserNotificationCenter.launchedForIdentifier != nil
        return current
    }

    func backgroundTime() -> BackgroundTime {
        BackgroundTime(desktop: desktop, timers: timers, now: now)
    }
}
