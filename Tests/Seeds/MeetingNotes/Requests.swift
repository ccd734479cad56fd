// swift-format-ignore-file
// User Notifications (notes on https://developer.apple.com/documentation/usernotifications/), 请求使用通知的权限
// Only the lines from `// Listing` to `// End of the listing.` are from the notes.
// The function around each listing lets it compile.

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
