import UserNotifications

/// Waits for the user's answer and turns it into a line to print.
final class AnswerListener: NSObject, UNUserNotificationCenterDelegate {
    private let line: @Sendable (UNNotificationResponse) -> String?
    private let lines = AsyncStream.makeStream(of: String.self)

    /// Becomes the centre's delegate; `line` gives nil for an answer that does not count.
    init(
        line: @escaping @Sendable (UNNotificationResponse) -> String? = {
            "Answered: \($0.notification.request.content.title), \($0.actionIdentifier)"
        }
    ) {
        self.line = line
        super.init()
        UNUserNotificationCenter.current().delegate = self
    }

    /// The next answer's line; the listener must live until it comes, for the centre does not hold
    /// it.
    func next() async -> String {
        for await line in lines.stream { return line }
        return ""
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        // The files of the response are there until its end.
        let line = line(response)
        completionHandler()
        if let line { lines.continuation.yield(line) }
    }
}
