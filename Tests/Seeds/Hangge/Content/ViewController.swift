// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 四
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// The added page shows a notification with their content at once.

import UIKit
import UserNotifications

class ViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
// Listing:
//设置推送内容
let content = UNMutableNotificationContent()
content.title = "hangge.com"
content.subtitle = "航歌(二级标题)"
content.body = "做最好的开发者知识平台"
content.badge = 2
// End of the listing.
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "content", content: content, trigger: nil))
    }
}
