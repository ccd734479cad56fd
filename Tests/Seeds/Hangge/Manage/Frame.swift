// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 八
// Frame: the app around the page.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
