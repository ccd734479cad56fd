import UserNotifications

struct Notification {
    var id: String
    var title: String
    var datetime: DateComponents
}

/// Schedules a list of reminders; asks for permission only if the user was never asked.
///
/// Another call of `schedule()` adds no second request, because a request replaces the pending
/// request with the same identifier.
final class LocalNotificationManager {
    var notifications = [Notification]()

    func listScheduledNotifications() {
        UNUserNotificationCenter.current().getPendingNotificationRequests { notifications in
            for notification in notifications {
                print(notification)
            }
        }
    }

    func schedule() {
        UNUserNotificationCenter.current().getNotificationSettings { settings in
            switch settings.authorizationStatus {
            case .notDetermined:
                self.requestAuthorization()
            case .authorized, .provisional:
                self.scheduleNotifications()
            default:
                print(
                    "Notifications are not allowed. Allow them in the desktop's settings, or with "
                        + "'tocsin settings APP --allow'.")
                exit(77)
            }
        }
    }

    private func requestAuthorization() {
        UNUserNotificationCenter.current().requestAuthorization(
            options: [.alert, .badge, .sound]
        ) { granted, error in
            guard granted, error == nil else {
                print("Not allowed: \(error?.localizedDescription ?? "the user said no")")
                exit(77)
            }
            self.scheduleNotifications()
        }
    }

    private func scheduleNotifications() {
        for notification in notifications {
            let content = UNMutableNotificationContent()
            content.title = notification.title
            content.sound = .default

            let trigger = UNCalendarNotificationTrigger(
                dateMatching: notification.datetime, repeats: false)
            let request = UNNotificationRequest(
                identifier: notification.id, content: content, trigger: trigger)

            UNUserNotificationCenter.current().add(request) { error in
                guard error == nil else {
                    print("Not scheduled: \(error?.localizedDescription ?? "")")
                    exit(1)
                }
                print("Notification scheduled! --- ID = \(notification.id)")
            }
        }
        // The centre keeps the order of calls, so the list already has the three reminders.
        listScheduledNotifications()
    }
}
