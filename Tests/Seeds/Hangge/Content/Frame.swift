// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 四
// Not from the article: this app, which shows the page in ViewController.swift.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
