// swift-format-ignore-file
// HDLocalNotification, https://github.com/erduoniba/HDLocalNotification, 1.3 and 1.4
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// Added: the method that 1.3 calls and the article does not show. The declarations of 1.4 stand in
// protocols, without their `open`, which only a member of a class may have.

import UserNotifications

extension LocalNotifManager {
    func setLocalNotification(with dateString: String, times: Int) {
        addNotifi(dateString: dateString, sound: .default, index: 0, times: times, week: 0)
    }
}

func usage() {
// Listing 1.3:
LocalNotifManager().setLocalNotification(with: "12:34", times: 10)
// End of the listing.
}

/// Schedules for the next two minutes; the listing's method takes the time as a parameter.
func start() {
    let formatter = DateFormatter()
    formatter.dateFormat = "H:mm"
    LocalNotifManager().setLocalNotification(with: formatter.string(from: Date() + 60), times: 2)
}

protocol Pending {
// Listing 1.4:
// UNUserNotificationCenter: 获取还未触发的通知列表
func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Swift.Void)
// End of the listing.
}

protocol Next {
// Listing 1.4:
// UNCalendarNotificationTrigger: 获取该通知下一个触发的时间日期
func nextTriggerDate() -> Date?
// End of the listing.
}

extension UNUserNotificationCenter: Pending {}
extension UNCalendarNotificationTrigger: Next {}
