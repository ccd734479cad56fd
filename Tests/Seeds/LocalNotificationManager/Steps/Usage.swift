// swift-format-ignore-file
// iOS开发——本地通知实现 (2020-04-28), 安排本地通知
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// The function around them lets them compile. Nothing calls it, because its dates are of 2019.

import CoreLocation
import UserNotifications

func usage(region: CLRegion) {
    do {
// Listing 2:
let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 120, repeats: false)
// End of the listing.
        _ = trigger
    }
    do {
// Listing 3:
let trigger = UNLocationNotificationTrigger(triggerWithRegion: region, repeats: false)
// End of the listing.
        _ = trigger
    }
// Listing 4:
let manager = LocalNotificationManager()
manager.notifications = [
    Notification(id: "reminder-1", title: "Remember the milk!", datetime: DateComponents(calendar: Calendar.current, year: 2019, month: 4, day: 22, hour: 17, minute: 0)),
    Notification(id: "reminder-2", title: "Ask Bob from accounting", datetime: DateComponents(calendar: Calendar.current, year: 2019, month: 4, day: 22, hour: 17, minute: 1)),
    Notification(id: "reminder-3", title: "Send postcard to mom", datetime: DateComponents(calendar: Calendar.current, year: 2019, month: 4, day: 22, hour: 17, minute: 2))
]

manager.schedule()
// End of the listing.
}
