// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 七.2
// Frame: an empty class, which the listing uses; chapter 九 has its members.

import UserNotifications

class NotificationHandler: NSObject, UNUserNotificationCenterDelegate {}
