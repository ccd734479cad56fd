// swift-format-ignore-file
// iOS开发——本地通知实现 (2020-04-28), 安排本地通知
// Not from the article: this program, which uses the article's `LocalNotificationManager`.

import UserNotifications

@main
struct Frame {
    static let manager = LocalNotificationManager()
    static let listener = Listener()

    static func main() {
        UNUserNotificationCenter.current().delegate = listener
        manager.notifications = [
            Notification(id: "reminder-1", title: "Remember the milk!", datetime: date(in: 20)),
            Notification(id: "reminder-2", title: "Ask Bob from accounting", datetime: date(in: 21)),
            Notification(id: "reminder-3", title: "Send postcard to mom", datetime: date(in: 86_400)),
        ]
        manager.schedule()
        RunLoop.main.run()
    }

    /// Returns the date `seconds` from now, because the dates of 2019 in the article are past.
    static func date(in seconds: TimeInterval) -> DateComponents {
        let parts: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
        return Calendar.current.dateComponents(parts, from: Date() + seconds)
    }
}

/// Lists the scheduled requests after a click on a reminder.
class Listener: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        Frame.manager.listScheduledNotifications()
        completionHandler()
    }
}
