import UIKit
import UserNotifications

/// The page of the app.
///
/// The app shows the class named `ViewController` first, as in an Xcode project.
class ViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        print("viewDidLoad")
        let content = UNMutableNotificationContent()
        content.title = "Short notice"
        content.body = "The page has been open for a while."
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 30
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        let requestIdentifier = "org.tocsin.ShortNotice.page"
        let request = UNNotificationRequest(
            identifier: requestIdentifier, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request) { error in
            if error == nil {
                print("Time Interval Notification scheduled: \(requestIdentifier)")
            }
        }
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
    }
}
