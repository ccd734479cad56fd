// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 十一.2 (2)
// `@UIApplicationMain` became `@main`.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    let notificationHandler = NotificationHandler()

    func application(_ application: UIApplication, didFinishLaunchingWithOptions
        launchOptions: [UIApplicationLaunchOptionsKey: Any]?) -> Bool {

        //请求通知权限
        UNUserNotificationCenter.current()
            .requestAuthorization(options: [.alert, .sound, .badge]) {
                (accepted, error) in
                if !accepted {
                    print("用户不允许消息通知。")
                }
        }

        //注册category
        registerNotificationCategory()
        UNUserNotificationCenter.current().delegate = notificationHandler

        return true
    }

    func applicationWillResignActive(_ application: UIApplication) {
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
    }

    func applicationWillTerminate(_ application: UIApplication) {
    }

    //注册一个category
    private func registerNotificationCategory() {
        let newsCategory: UNNotificationCategory = {
            //创建输入文本的action
            let inputAction = UNTextInputNotificationAction(
                identifier: NotificationCategoryAction.comment.rawValue,
                title: "评论",
                options: [.foreground],
                textInputButtonTitle: "发送",
                textInputPlaceholder: "在这里留下你想说的话...")

            //创建普通的按钮action
            let likeAction = UNNotificationAction(
                identifier: NotificationCategoryAction.like.rawValue,
                title: "点个赞",
                options: [.foreground])

            //创建普通的按钮action
            let cancelAction = UNNotificationAction(
                identifier: NotificationCategoryAction.cancel.rawValue,
                title: "取消",
                options: [.destructive])

            //创建category
            return UNNotificationCategory(identifier: NotificationCategory.news.rawValue,
                                          actions: [inputAction, likeAction, cancelAction],
                                          intentIdentifiers: [], options: [.customDismissAction])
        }()

        //把category添加到通知中心
        UNUserNotificationCenter.current().setNotificationCategories([newsCategory])
    }
}
