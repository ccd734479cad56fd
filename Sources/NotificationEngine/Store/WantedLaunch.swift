import NotificationModel

/// A start of an app that an earlier run of the engine did not see to its end.
struct WantedLaunch: Hashable, Sendable {
    /// The response that waits for the app.
    var response: NotificationResponse
    /// How the app is to be started.
    var mode: LaunchMode
    /// When the person answered.
    var wantedAt: Instant
    /// How often a start was begun.
    var attempts: Int64
    /// When it was begun last.
    var startedAt: Instant?
}
