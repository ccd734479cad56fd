import UserNotifications

/// Schedules a notification with an image and two buttons, and prints the response.
///
///     Demo [--after SECONDS] [--timeout SECONDS]
///
/// The timeout begins when the notification is due.
///
/// The exit status is 0 after a response. The exit status is 1 if no response came in time, or if
/// nothing could be scheduled.
@main
struct Demo {
    static func main() async {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            complain("usage: Demo [--after SECONDS] [--timeout SECONDS]")
            exit(64)
        }
        let listener = Listener()
        let answers = listener.answers
        UNUserNotificationCenter.current().delegate = listener
        do {
            let center = UNUserNotificationCenter.current()
            guard try await center.requestAuthorization(options: [.alert, .sound]) else {
                complain("The user does not allow notifications.")
                exit(1)
            }
            printLine("Permission: the user allows notifications.")
            try await schedule(after: options.delay)
        } catch {
            complain(error.localizedDescription)
            exit(1)
        }
        printLine("Scheduled: the notification comes in \(options.delay) seconds.")

        let timeout = Task {
            try await Task.sleep(for: .seconds(options.delay + options.timeout))
            answers.continuation.finish()
        }
        for await response in answers.stream {
            timeout.cancel()
            // Without `flush`, the response might come again at the next start.
            await UNUserNotificationCenter.current().flush()
            printLine("action: \(response.actionIdentifier)")
            let userInfo = response.notification.request.content.userInfo
            let from = userInfo["from"] as? String ?? ""
            printLine("user info: from=\(from) order=\(userInfo["order"] as? Int ?? 0)")
            exit(0)
        }
        complain("Nobody answered within \(options.timeout) seconds.")
        withExtendedLifetime(listener) {}
        exit(1)
    }

    private static func schedule(after seconds: TimeInterval) async throws {
        let center = UNUserNotificationCenter.current()
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "order",
                actions: [
                    UNNotificationAction(identifier: "like", title: "Like"),
                    UNNotificationAction(identifier: "later", title: "Later"),
                ], intentIdentifiers: [], options: [.customDismissAction])
        ])

        let content = UNMutableNotificationContent()
        content.title = "Your order is ready"
        content.subtitle = "Order 42"
        content.body = "It waits for you at the counter. How do you like it?"
        content.categoryIdentifier = "order"
        content.userInfo = ["order": 42, "from": "demo"]
        if let bell = Bundle.module.url(forResource: "bell", withExtension: "png") {
            content.attachments = [try UNNotificationAttachment(identifier: "bell", url: bell)]
        }
        let request = UNNotificationRequest(
            identifier: "org.tocsin.demo", content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false))
        try await center.add(request)
    }

    private static func printLine(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

private struct Options {
    var delay: TimeInterval = 3
    var timeout: TimeInterval = 60

    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst().flatMap(TimeInterval.init), value > 0 else {
                return nil
            }
            switch name {
            case "--after": delay = value
            case "--timeout": timeout = value
            default: return nil
            }
        }
    }
}

private final class Listener: NSObject, UNUserNotificationCenterDelegate {
    let answers = AsyncStream.makeStream(of: UNNotificationResponse.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        answers.continuation.yield(response)
    }
}
