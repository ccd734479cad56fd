// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 八
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// The added page shows one notification and schedules another. A click lists and removes them all.
// The article has typographic quotes, lost line ends and a lost backslash; they are corrected here.

import UIKit
import UserNotifications

class ViewController: UIViewController, UNUserNotificationCenterDelegate {
    var content: UNMutableNotificationContent { text("hangge.com") }
    var trigger: UNNotificationTrigger? { UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false) }

    func text(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        content.categoryIdentifier = title
        return content
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(
                identifier: "remove",
                actions: [UNNotificationAction(identifier: "remove", title: "Remove all")],
                intentIdentifiers: [])
        ])
        Task {
            let center = UNUserNotificationCenter.current()
            try await center.add(UNNotificationRequest(
                identifier: "shown", content: text("shown"), trigger: nil))
            update()
            try await center.add(UNNotificationRequest(
                identifier: "remove", content: text("remove"), trigger: nil))
        }
    }

    /// The user clicks the notification "remove".
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        listPending()
        listDelivered()
        await center.flush()
        removePending()
        removeDelivered()
        await center.flush()
        print("left: \(await center.pendingNotificationRequests().count), \(await center.deliveredNotifications().count)")
    }

    func listPending() {
// Listing 1 (1):
UNUserNotificationCenter.current().getPendingNotificationRequests { (requests) in
    //遍历所有未推送的request
    for request in requests {
        print(request)
    }
}
// End of the listing.
    }

    func listDelivered() {
// Listing 1 (2):
UNUserNotificationCenter.current().getDeliveredNotifications { (notifications) in
    //遍历所有已推送的通知
    for notification in notifications {
        print(notification)
    }
}
// End of the listing.
    }

    func update() {
// Listing 2:
//使用同样的请求标识符来设置一个新的通知
let requestIdentifier = "com.hangge.testNotification"
let request = UNNotificationRequest(identifier: requestIdentifier,
                                    content: content, trigger: trigger)

//将通知请求添加到发送中心
UNUserNotificationCenter.current().add(request) { error in
    if error == nil {
        print("Time Interval Notification scheduled: \(requestIdentifier)")
    }
}
// End of the listing.
    }

    func removePending() {
// Listing 3 (1):
//根据identifier来取消指定通知
let identifier = "com.hangge.testNotification"
UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [identifier])

//取消全部未发送通知
UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
// End of the listing.
    }

    func removeDelivered() {
// Listing 3 (2):
//根据identifier来删除指定通知
let identifier = "com.hangge.testNotification"
UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])

//删除全部已发送通知
UNUserNotificationCenter.current().removeAllDeliveredNotifications()
// End of the listing.
    }
}
