// A `main.swift` that uses completion handlers. Without `runUntilIdle`, the program would end
// before its notification is shown.
//
// `swift run LastLine` shows a notification at once, and prints the action of the user's response.
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
    guard granted else {
        let reason = error?.localizedDescription ?? "the user does not allow notifications"
        return print("not allowed: \(reason)")
    }
    let content = UNMutableNotificationContent()
    content.title = "Still here"
    let request = UNNotificationRequest(identifier: "here", content: content, trigger: nil)
    center.add(request) { error in
        print(error.map { "failed: \($0.localizedDescription)" } ?? "added")
    }
}

center.runUntilIdle()
print("nothing left to do")
