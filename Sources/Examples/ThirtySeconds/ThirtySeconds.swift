import UserNotifications

/// Notifies after thirty seconds, and prints the notification after the user's response.
///
///     ThirtySeconds [SECONDS]
@main
struct ThirtySeconds {
    static func main() async {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 30
        let handler = NotificationHandler()
        UNUserNotificationCenter.current().delegate = handler
        do {
            let center = UNUserNotificationCenter.current()
            guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else {
                print("The user does not allow notifications.")
                exit(77)
            }
            print("Time Interval Notification scheduled: \(try await schedule(after: seconds))")
            fflush(nil)
        } catch {
            FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
            exit(1)
        }
        for await _ in handler.answers.stream { break }
        // Without `flush`, the response might come again at the next start.
        await UNUserNotificationCenter.current().flush()
        withExtendedLifetime(handler) {}
    }

    private static func schedule(after seconds: TimeInterval) async throws -> String {
        let content = UNMutableNotificationContent()
        content.title = "Thirty seconds"
        content.body = "The time you asked for has passed."
        content.userInfo = ["userName": "tocsin", "articleId": 10086]

        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        let identifier = "org.tocsin.example.thirty-seconds"
        let request = UNNotificationRequest(
            identifier: identifier, content: content, trigger: trigger)
        try await UNUserNotificationCenter.current().add(request)
        return identifier
    }
}

/// Prints the notification of the response: the title, the text and the app's own data.
final class NotificationHandler: NSObject, UNUserNotificationCenterDelegate {
    let answers = AsyncStream.makeStream(of: Void.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        print(response.notification.request.content.title)
        print(response.notification.request.content.body)
        print(response.notification.request.content.userInfo)
        completionHandler()
        answers.continuation.yield()
    }
}
