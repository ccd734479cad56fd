// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 七.2
// Not from the article: this empty class, which the listing uses. Chapter 九 shows its members.

import UserNotifications

class NotificationHandler: NSObject, UNUserNotificationCenterDelegate {}
