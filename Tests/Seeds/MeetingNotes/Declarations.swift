// swift-format-ignore-file
// User Notifications (notes on https://developer.apple.com/documentation/usernotifications/), the declarations
// Only the lines from `// Listing` to `// End of the listing.` are from the notes.
// Added so that they compile: the types around the members, and each `_`, which the notes omit.

import UserNotifications

protocol Delegate {
// Listing UNUserNotificationCenterDelegate:
// app在后台运行时到达的通知时处理
func userNotificationCenter(_: UNUserNotificationCenter, didReceive: UNNotificationResponse, withCompletionHandler: () -> Void)

// app在前台运行时到达的通知时处理
func userNotificationCenter(_: UNUserNotificationCenter, willPresent: UNNotification, withCompletionHandler: (UNNotificationPresentationOptions) -> Void)
// End of the listing.
}

enum Status {
// Listing UNAuthorizationStatus:
enum UNAuthorizationStatus{
case notDetermined // 用户尚未选择是否允许应用程序安排通知。
case denied // 该应用无权安排或接收通知。
case authorized // 该应用程序有权安排或接收通知。
case provisional // 该应用程序被临时授权发布不间断的用户通知。
case ephemeral // 该应用程序被授权在有限的时间内安排或接收通知。
}
// End of the listing.
}

enum Setting {
// Listing UNNotificationSetting:
enum UNAuthorizationStatus{
case notSupported // 该设置不适用于您的应用。
case disabled // 该设置被禁用
case enabled // 该设置已启用
}
// End of the listing.
}
