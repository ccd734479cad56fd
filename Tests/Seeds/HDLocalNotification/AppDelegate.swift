// swift-format-ignore-file
// HDLocalNotification, https://github.com/erduoniba/HDLocalNotification, 1.1, 1.2, 1.4, 2 and 3
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// Most are members of the app's delegate, so the class is added around them.
// `@UIApplicationMain` became `@main`.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?

// Listing 1.1:
func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?) -> Bool {
    
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.requestAuthorization(options: [.alert, .badge, .sound]) { (resulet, error) in
        if resulet {
            print("register notification success")
        }
        else {
            print("register notification fail error.localizedDescription:\(error?.localizedDescription)")
        }
    }
    
    return true
}

// app在前台运行时，收到通知会唤起该方法，但是前提是得 实现该方法 及 实现completionHandler
func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification, withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Swift.Void){
    print("categoryIdentifier: \(notification.request.content.categoryIdentifier)")
    completionHandler(.alert)
}

// 用户收到通知点击进入app的时候唤起，
@available(iOS 10.0, *)
func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping () -> Swift.Void) {
    let catogoryIdentifier = response.notification.request.content.categoryIdentifier
    if catogoryIdentifier == "local_notification" {
    	// 根据事件的 identifier 来响应对应的通知点击事件
        if response.actionIdentifier == "sure_action" {
            print("response.actionIdentifier: sure_action")
        }
    }
    completionHandler()
}
// End of the listing.

    func applicationDidBecomeActive(_ application: UIApplication) {
        setCategory()
        start()
    }

    func setCategory() {
// Listing 1.2:
let lockAction = UNNotificationAction(identifier: "lock_action", title: "点击解锁", options: .authenticationRequired)
let cancelAction = UNNotificationAction(identifier: "cancel_action", title: "点击消失", options: .destructive)
let sureAction = UNNotificationAction(identifier: "sure_action", title: "点击进入app", options: .foreground)

//设置一组通知类型，通过 local_notification 来标识
let category = UNNotificationCategory(identifier: "local_notification", actions: [sureAction, lockAction, cancelAction], intentIdentifiers: [], options: .customDismissAction)

//将该类型的通知加入到 通知中心
UNUserNotificationCenter.current().setNotificationCategories([category])
// End of the listing.
    }

// Listing 1.4:
func applicationWillEnterForeground(_ application: UIApplication) {
    UNUserNotificationCenter.current().getPendingNotificationRequests(completionHandler: { (requests : [UNNotificationRequest]) in
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
        UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
        
        let formatter = DateFormatter()
        formatter.dateFormat = "dd"
        let dateString = formatter.string(from: Date())
        let dateInt = Int(dateString)
        
        for request in requests {
            let trigger = request.trigger as! UNCalendarNotificationTrigger
            let nextTriggerDate = trigger.nextTriggerDate()
            let nextTriggerDateString = formatter.string(from: nextTriggerDate!)
            let nextTriggerDateInt = Int(nextTriggerDateString)
            
            print("dateInt:\(dateInt) nextTriggerDateInt:\(nextTriggerDateInt)")
            
            //触发时间比现在在 0 天以后，说明是第二天的通知了，需要重新加入到通知中心
            if nextTriggerDateInt! - dateInt! > 0 {
                UNUserNotificationCenter.current().add(request, withCompletionHandler: { (error) in

                })
            }
            
        }
    })
}
// End of the listing.

// Listing 2:
// AppDelegate: 根据info.plist中的 UIApplicationShortcutItemType值 找到对应的事件即可
func application(_ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem, completionHandler: @escaping (Bool) -> Void) {
    print("shortcutItem.type: \(shortcutItem.type)")
}
// End of the listing.

// Listing 3:
//后台任务
var backgroundTask : UIBackgroundTaskIdentifier! = nil

//进入后台后
func applicationDidEnterBackground(_ application: UIApplication) {
    //如果已存在后台任务，先将其设为完成
    if self.backgroundTask != nil {
        application.endBackgroundTask(self.backgroundTask)
        self.backgroundTask = UIBackgroundTaskInvalid
    }
    
    //注册后台任务
    self.backgroundTask = application.beginBackgroundTask(expirationHandler: {
        () -> Void in
        //如果没有调用endBackgroundTask，时间耗尽时应用程序将被终止
        application.endBackgroundTask(self.backgroundTask)
        self.backgroundTask = UIBackgroundTaskInvalid
    })
}
// End of the listing.
}
