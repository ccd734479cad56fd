import UserNotifications

/// Follows an article about async calls: a notification manager with its own error type, and a
/// timer for focused work.
///
///     FocusTimer [SECONDS]          the session's length, 15 if not given
///
/// The program schedules a break, and a review in an hour. It lists both, and removes the review.
/// The program ends after the response to the break. If notifications are not allowed, the exit
/// status is 77.
@main
struct FocusTimer {
    static func main() async {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 15
        let delegate = BreakDelegate()
        UNUserNotificationCenter.current().delegate = delegate
        do {
            try await schedule(after: seconds)
        } catch NotificationManager.NotificationError.notPermitted {
            print(NotificationManager.NotificationError.notPermitted.localizedDescription)
            exit(77)
        } catch {
            print("Not scheduled: \(error.localizedDescription)")
            exit(1)
        }
        for await answer in delegate.answers.stream {
            print(answer)
            break
        }
        // Without `flush`, the response might come again at the next start.
        await UNUserNotificationCenter.current().flush()
        withExtendedLifetime(delegate) {}
    }

    private static func schedule(after seconds: TimeInterval) async throws {
        let manager = NotificationManager.shared
        try await manager.requestPermission()
        let isGranted = await manager.permission() == .authorized
        print("Permission: \(isGranted ? "granted" : "provisional")")
        do {
            _ = try await manager.notify(
                after: 20, repeats: true, title: "Drink something", body: "Again and again.")
        } catch {
            print("Refused: \(error.localizedDescription)")
        }
        _ = try await manager.notify(
            after: seconds, title: "Take a break", body: "You have worked long enough.",
            id: "break", userInfo: ["session": 7])
        let review = try await manager.notify(
            at: Date(timeIntervalSinceNow: 3600), title: "Review", subtitle: "What was done",
            id: "review")
        print("Scheduled: \(await names())")
        manager.remove(review)
        print("Without the review: \(await names())")
    }

    private static func names() async -> String {
        await NotificationManager.shared.scheduled().map(\.identifier).joined(separator: ", ")
    }
}

final class BreakDelegate: NSObject, UNUserNotificationCenterDelegate {
    let answers = AsyncStream.makeStream(of: String.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound, .badge]
    }

    // This method uses the completion handler, so that it can acknowledge the response before the
    // app ends. The app ends as soon as it gets the response from the stream.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let request = response.notification.request
        let session = request.content.userInfo["session"] as? Int ?? 0
        completionHandler()
        answers.continuation.yield("Answered: \(request.identifier) of session \(session)")
    }
}
