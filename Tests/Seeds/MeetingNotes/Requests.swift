// swift-format-ignore-file
// User Notifications (notes on https://developer.apple.com/documentation/usernotifications/), 请求使用通知的权限
// Frame: a function around each listing.

import UserNotifications

func request() {
// Listing 1:
let center = UNUserNotificationCenter.current()
center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in

    if let error = error {
        // Handle the error here.
    }

    // Enable or disable features based on the authorization.
}
// End of the listing.
}

func requestProvisional() {
// Listing 2:
// 临时通知不会影响用户体验
let center = UNUserNotificationCenter.current()
center.requestAuthorization(options: [.alert, .sound, .badge, .provisional]) { granted, error in

    if let error = error {
        // Handle the error here.
    }

    // Provisional authorization granted.
}
// End of the listing.
}
