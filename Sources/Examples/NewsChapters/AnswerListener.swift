import UserNotifications

/// Waits for what the person does; the chapters that are about something else use it.
final class AnswerListener: NSObject, UNUserNotificationCenterDelegate {
    struct Answer: Sendable {
        var title: String
        var action: String
    }

    private let answers = AsyncStream.makeStream(of: Answer.self)

    override init() {
        super.init()
        UNUserNotificationCenter.current().delegate = self
    }

    /// The next answer; the listener must live until it comes, for the centre does not hold it.
    func next() async -> Answer {
        for await answer in answers.stream { return answer }
        return Answer(title: "", action: "")
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        let title = response.notification.request.content.title
        answers.continuation.yield(Answer(title: title, action: response.actionIdentifier))
    }
}
