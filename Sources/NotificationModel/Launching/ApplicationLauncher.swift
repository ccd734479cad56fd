/// Starts apps that have quit: the daemon by the desktop's means; tests take notes.
public protocol ApplicationLauncher: Sendable {
    /// Starts the app, which then connects and gets its response.
    ///
    /// False where nothing is known that could start it in this mode: the response waits for the
    /// app's next start. Fails where starting it failed.
    func launch(_ order: LaunchOrder) async throws(NotificationError) -> Bool
}
