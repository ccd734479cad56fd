// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 十四.2 (2)

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
            //将远程推送通知中的图片下载到本地,并显示
            if let imageURLString = bestAttemptContent.userInfo["image"] as? String,
                let URL = URL(string: imageURLString) {
                downloadAndSave(url: URL) { localURL in
                    if let localURL = localURL {
                        do {
                            let attachment = try UNNotificationAttachment(identifier: "download",
                                                                          url: localURL,
                                                                          options: nil)
                            bestAttemptContent.attachments = [attachment]
                        } catch {
                            print(error)
                        }
                    }
                    contentHandler(bestAttemptContent)
                }
            }
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

    //将图片下载到本地临时文件夹中
    private func downloadAndSave(url: URL, handler: @escaping (_ localURL: URL?) -> Void) {
        let task = URLSession.shared.dataTask(with: url, completionHandler: {
            data, res, error in
            var localURL: URL? = nil
            if let data = data {
                //取得当前时间的时间戳
                let timeInterval = Date().timeIntervalSince1970
                let timeStamp = Int(timeInterval)
                //文件后缀
                let ext = (url.absoluteString as NSString).pathExtension
                let temporaryURL = FileManager.default.temporaryDirectory
                let url = temporaryURL.appendingPathComponent("\(timeStamp)")
                    .appendingPathExtension(ext)

                if let _ = try? data.write(to: url) {
                    localURL = url
                }
            }
            handler(localURL)
        })

        task.resume()
    }
}
