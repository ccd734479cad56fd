// swift-format-ignore-file
// iOS开发——本地通知实现 (2020-04-28), 完整代码

import UserNotifications

struct Notification {
    var id: String
    var title: String
    var datetime: DateComponents
}

class LocalNotificationManager {
    var notifications = [Notification]()
    
    /// 检查已计划的本地通知
    func listScheduledNotification() {
        UNUserNotificationCenter.current().getPendingNotificationRequests { notifications in
            for notification in notifications {
                print(notification)
            }
        }
    }
    
    /// 请求发送通知的权限
    private func requestAuthorization() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { (granted, error) in
            if granted == true && error == nil {
                
            }
        }
    }
    
    func schedule() {
        UNUserNotificationCenter.current().getNotificationSettings { (setting) in
            switch setting.authorizationStatus {
            case .notDetermined:
                self.requestAuthorization()
            case .authorized, .provisional:
                self.scheduleNotifications()
            default:
                break
            }
        }
    }
    
    private func scheduleNotifications() {
        for notification in notifications {
            let content = UNMutableNotificationContent()
            content.title = notification.title
            content.sound = .default
            
            let trigger = UNCalendarNotificationTrigger(dateMatching: notification.datetime, repeats: false)
            let request = UNNotificationRequest(identifier: notification.id, content: content, trigger: trigger)
            
            UNUserNotificationCenter.current().add(request) { (error) in
                guard error == nil else {return}
                
                print("Notification scheduled! --- ID = \(notification.id)")
            }
        }
    }
}
