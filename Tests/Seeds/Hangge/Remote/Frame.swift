// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 七.2
// Frame: the listing uses the class that chapter 九 writes.

import UserNotifications

class NotificationHandler: NSObject, UNUserNotificationCenterDelegate {}
