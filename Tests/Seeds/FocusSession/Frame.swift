// swift-format-ignore-file
// HUANG SHAN, 实现 iOS 本地通知功能, 使用通知管理类
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// Added: the program around them, and the text in `Constants`, which the article has elsewhere.

import UserNotifications

enum Constants {
    static let restDoneNotificationMessage = "休息结束了"
}

@main
struct Frame {
    static func main() async throws {
// Listing:
// 15s 后显示一条通知. 注意您将需要离开应用才能看到通知.
_ = try await NotificationManager.instance.notifyAfter(
    seconds: 15,
    repeats: false,
    title: "Hello",
    body: Constants.restDoneNotificationMessage
)
// End of the listing.
        let manager = NotificationManager.instance
        print("registered: \(await manager.listRegisteredNotifications().count)")
        await UNUserNotificationCenter.current().runUntilIdle()
    }
}
