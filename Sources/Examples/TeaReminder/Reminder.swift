import UserNotifications

@main
final class Reminder: NSObject, UNUserNotificationCenterDelegate {
    static func main() async {
        let reminder = Reminder()
        let center = UNUserNotificationCenter.current()
        center.delegate = reminder
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "tea",
                actions: [
                    UNNotificationAction(identifier: "drink", title: "Drink it"),
                    UNNotificationAction(identifier: "later", title: "Later"),
                ],
                intentIdentifiers: [])
        ])
        let content = UNMutableNotificationContent()
        content.title = "Tea is ready"
        content.body = "Three minutes are over."
        content.categoryIdentifier = "tea"
        content.userInfo = ["cup": 1]

        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3, repeats: false)
        let request = UNNotificationRequest(identifier: "tea", content: content, trigger: trigger)
        do {
            guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
            try await center.add(request)
            print("The tea is on.")
            await center.untilIdle()
        } catch {
            print("No tea: \(error.localizedDescription)")
            exit(1)
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let content = response.notification.request.content
        print("\(response.actionIdentifier), cup \(content.userInfo["cup"] ?? 0)")
    }
}
