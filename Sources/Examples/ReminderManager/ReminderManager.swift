import UserNotifications

/// Follows an article about a reminder manager.
///
/// A class asks for permission if the user was never asked, and schedules a list of reminders.
///
///     ReminderManager [SECONDS]     seconds from one reminder to the next, 5 if not given
///
/// The program ends when all three reminders were shown. If notifications are not allowed, the exit
/// status is 77.
@main
struct ReminderManager {
    @MainActor
    static func main() async {
        let distance = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 5
        guard distance >= 1 else {
            print("usage: ReminderManager [SECONDS]; SECONDS must be at least 1")
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
        // The last notification may still be on its way to the screen. If an app hosts its own
        // centre, it must not end before the notification is delivered.
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
        // Add a second, because the trigger drops the fraction of the date's second.
        let date = Date().addingTimeInterval(seconds + 1)
        return Calendar.current.dateComponents(
            [.calendar, .year, .month, .day, .hour, .minute, .second], from: date)
    }
}

/// Shows every reminder, and reports its identifier.
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
