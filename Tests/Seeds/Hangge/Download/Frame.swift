// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 十四.2 (2)
// Not from the article: this app, which sets the article's service extension. In Xcode the
// extension is a separate target.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func applicationDidFinishLaunching(_ application: UIApplication) {
        UNUserNotificationCenter.serviceExtension = { NotificationService() }
        UNUserNotificationCenter.current().delegate = handler
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in
            print("waiting")
        }
    }

    let handler = Handler()
}

class Handler: NSObject, UNUserNotificationCenterDelegate {}
