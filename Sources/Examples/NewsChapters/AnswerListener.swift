import UserNotifications

/// Waits for the user's response and turns it into a line to print.
final class AnswerListener: NSObject, UNUserNotificationCenterDelegate {
    private let line: @Sendable (UNNotificationResponse) -> String?
    private let lines = AsyncStream.makeStream(of: String.self)

    /// Makes this listener the centre's delegate.
    ///
    /// `line` returns nil for a response that the listener must ignore.
    init(
        line: @escaping @Sendable (UNNotificationResponse) -> String? = {
            "Answered: \($0.notification.request.content.title), \($0.actionIdentifier)"
        }
    ) {
        self.line = line
        super.init()
        UNUserNotificationCenter.current().delegate = self
    }

    /// Waits for the next response, and returns its line.
    ///
    /// The caller must retain the listener, because the centre does not retain its delegate.
    func next() async -> String {
        for await line in lines.stream { return line }
        return ""
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        // Read the attached files now: they may be removed after the completion handler is called.
        let line = line(response)
        completionHandler()
        if let line { lines.continuation.yield(line) }
    }
}
