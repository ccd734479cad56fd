// swift-format-ignore-file
// 航歌, https://www.hangge.com/blog/cache/detail_1852.html, 五
// Only the lines from `// Listing` to `// End of the listing.` are from the article.
// The added page makes one request for each trigger, and prints its next date.

import CoreLocation
import UIKit
import UserNotifications

class ViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        add("place", place())
        add("weekly", weekly())
        add("date", date())
        add("soon", soon())
    }

    func add(_ name: String, _ trigger: UNNotificationTrigger) {
        let content = UNMutableNotificationContent()
        content.title = name
        let next = (trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
        let request = UNNotificationRequest(identifier: name, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request) { error in
            print("\(name): \(error?.localizedDescription ?? "scheduled"), \(next.map(format) ?? "no date")")
        }
    }

    func soon() -> UNNotificationTrigger {
// Listing 1:
let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false)
// End of the listing.
        return trigger
    }

    func date() -> UNNotificationTrigger {
// Listing 2 (1):
var components = DateComponents()
components.year = 2017
components.month = 11
components.day = 11
let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
// End of the listing.
        return trigger
    }

    func weekly() -> UNNotificationTrigger {
// Listing 2 (2):
var components = DateComponents()
components.weekday = 2 //周一
components.hour = 8 //上午8点
components.second = 30 //30分
let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
// End of the listing.
        return trigger
    }

    func place() -> UNNotificationTrigger {
// Listing 3:
let coordinate = CLLocationCoordinate2D(latitude: 52.10, longitude: 51.11)
let region = CLCircularRegion(center: coordinate, radius: 200, identifier: "center")
region.notifyOnEntry = true //进入此范围触发
region.notifyOnExit = false //离开此范围不触发
let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
// End of the listing.
        return trigger
    }
}

func format(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "EEE HH:mm:ss"
    return formatter.string(from: date)
}
