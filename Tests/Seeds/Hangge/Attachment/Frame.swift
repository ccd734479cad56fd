// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 十三.4
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// They are in the delegate of an added app.
// The article unwraps `path`; since Swift 3 it is not optional, so the listing lacks the `!`.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let handler = Handler()

    func applicationDidFinishLaunching(_ application: UIApplication) {
        UNUserNotificationCenter.current().delegate = handler
    }
}

class Handler: NSObject, UNUserNotificationCenterDelegate {
    @MainActor let eventImage = UIImageView(image: nil)

    @MainActor func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        show(response.notification)
        print("image: \(eventImage.image?.size.width ?? 0)")
    }

    @MainActor func show(_ notification: UNNotification) {
// Listing:
let content = notification.request.content
if let attachment = content.attachments.first {
    if attachment.url.startAccessingSecurityScopedResource() {
        eventImage.image = UIImage(contentsOfFile: attachment.url.path)
        attachment.url.stopAccessingSecurityScopedResource()
    }
}
// End of the listing.
    }
}
