import UserNotifications

/// The article of the reminder manager.
///
/// A class asks for permission only if the user was never asked, and schedules a list of reminders.
///
///     ReminderManager [SECONDS]     seconds from one reminder to the next, 5 if not given
///
/// Ends when all three were shown, or with 77 if notifications are not allowed.
@main
struct ReminderManager {
    @MainActor
    static func main() async {
        let distance = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 5
        guard distance >= 1 else {
            print("usage: ReminderManager [SECONDS], SECONDS from 1")
            exit(64)
        }
        let titles = ["Remember the milk!", "Ask Bob from accounting", "Send postcard to mom"]
        let manager = LocalNotificationManager()
        manager.notifications = titles.enumerated().map { index, title in
            Notification(
                id: "reminder-\(index + 1)", title: title,
                datetime: components(in: distance * Double(index + 1)))
        }

        let listener = Listener()
        UNUserNotificationCenter.current().delegate = listener
        manager.schedule()

        var open = Set(manager.notifications.map(\.id))
        for await identifier in listener.shown.stream {
            print("Shown: \(identifier)")
            open.remove(identifier)
            if open.isEmpty { break }
        }
        // The notifications are on their way to the screen; an app that hosts its own centre must
        // not end before they arrive.
        await UNUserNotificationCenter.current().flush()
        for _ in 0..<50 where await !isDelivered("reminder-3") {
            try? await Task.sleep(for: .milliseconds(100))
        }
        withExtendedLifetime(listener) {}
    }

    private static func isDelivered(_ identifier: String) async -> Bool {
        await UNUserNotificationCenter.current().deliveredNotifications()
            .contains { $0.request.identifier == identifier }
    }

    private static func components(in seconds: TimeInterval) -> DateComponents {
        // Rounded up, so that the second has not begun.
        let date = Date().addingTimeInterval(seconds + 1)
        return Calendar.current.dateComponents(
            [.calendar, .year, .month, .day, .hour, .minute, .second], from: date)
    }
}

/// Lets every reminder be shown, and reports which one.
final class Listener: NSObject, UNUserNotificationCenterDelegate {
    let shown = AsyncStream.makeStream(of: String.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound])
        shown.continuation.yield(notification.request.identifier)
    }
}
