// A main.swift with completion handlers. Without `runUntilIdle`, it would end before a notification
// is shown.
//
// `swift run LastLine` shows a notification at once and prints which button was clicked.
import UserNotifications

final class Listener: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        print("answered: \(response.actionIdentifier)")
        completionHandler()
    }
}

let center = UNUserNotificationCenter.current()
let listener = Listener()
center.delegate = listener

center.requestAuthorization(options: [.alert]) { granted, error in
    guard granted else { return print("not allowed: \(error?.localizedDescription ?? "")") }
    let content = UNMutableNotificationContent()
    content.title = "Still here"
    let request = UNNotificationRequest(identifier: "here", content: content, trigger: nil)
    center.add(request) { error in
        print(error.map { "failed: \($0.localizedDescription)" } ?? "added")
    }
}

center.runUntilIdle()
print("nothing left to do")
