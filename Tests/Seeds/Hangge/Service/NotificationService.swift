// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 十二.2

import UserNotifications

class NotificationService: UNNotificationServiceExtension {

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    //我们可以在后台处理接收到的推送,让后传递修改后的的内容给contentHandler进行展示
    override func didReceive(_ request: UNNotificationRequest,
                             withContentHandler contentHandler:
        @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        if let bestAttemptContent = bestAttemptContent {
            //给通知内容添加个小尾巴
            bestAttemptContent.body = "\(bestAttemptContent.body) 【来自hangge.com】"
            contentHandler(bestAttemptContent)
        }
    }

    //如果我们获取消息后一段时间内没有调用 contentHandler 的话,系统会调用这个方法
    override func serviceExtensionTimeWillExpire() {
        //如果消息没处理好,我们也将这个没处理完毕的消息进行展示
        if let contentHandler = contentHandler,
            let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}
