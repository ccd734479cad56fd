// swift-format-ignore-file
// User Notifications (notes on https://developer.apple.com/documentation/usernotifications/), UNNotificationCategory and UNNotificationResponse
// Only the lines from `// Listing` to `// End of the listing.` are from the notes.
// Added so that they compile and run: the delegate around them, an invitation to click, and the
// manager that they name.

import UIKit
import UserNotifications

@main
class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?

    func applicationDidFinishLaunching(_ application: UIApplication) {
        UNUserNotificationCenter.current().delegate = self
        CommandLine.arguments.contains("provisional") ? requestProvisional() : request()
        register()
        invite()
    }

    func register() {
// Listing 1:
// Define the custom actions.
let acceptAction = UNNotificationAction(identifier: "ACCEPT_ACTION",
      title: "Accept", 
      options: [])
let declineAction = UNNotificationAction(identifier: "DECLINE_ACTION",
      title: "Decline", 
      options: [])
// Define the notification type
let meetingInviteCategory = 
      UNNotificationCategory(identifier: "MEETING_INVITATION",
      actions: [acceptAction, declineAction], 
      intentIdentifiers: [], 
      hiddenPreviewsBodyPlaceholder: "",
      options: .customDismissAction)
// Register the notification type.
let notificationCenter = UNUserNotificationCenter.current()
notificationCenter.setNotificationCategories([meetingInviteCategory])
// End of the listing.
    }

    func invite() {
        let content = UNMutableNotificationContent()
        content.title = "Weekly staff meeting"
        content.userInfo = ["MEETING_ID": "staff-tuesday", "USER_ID": "ada"]
        content.categoryIdentifier = "MEETING_INVITATION"
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "meeting", content: content, trigger: nil))
    }

// Listing 2:
func userNotificationCenter(_ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: 
               @escaping () -> Void) {
   // Get the meeting ID from the original notification.
   let userInfo = response.notification.request.content.userInfo
        
   if response.notification.request.content.categoryIdentifier ==
              "MEETING_INVITATION" {
      // Retrieve the meeting details.
      let meetingID = userInfo["MEETING_ID"] as! String
      let userID = userInfo["USER_ID"] as! String
            
      switch response.actionIdentifier {
      case "ACCEPT_ACTION":
         sharedMeetingManager.acceptMeeting(user: userID, 
               meetingID: meetingID)
         break
                
      case "DECLINE_ACTION":
         sharedMeetingManager.declineMeeting(user: userID, 
               meetingID: meetingID)
         break
                
      case UNNotificationDefaultActionIdentifier,
           UNNotificationDismissActionIdentifier:
         // Queue meeting-related notifications for later
         //  if the user does not act.
         sharedMeetingManager.queueMeetingForDelivery(user: userID,
               meetingID: meetingID)
         break
                
      default:
         break
      }
   }
   else {
      // Handle other notification types...
   }
        
   // Always call the completion handler when done.
   completionHandler()
}
// End of the listing.
}

let sharedMeetingManager = MeetingManager()

final class MeetingManager: Sendable {
    func acceptMeeting(user: String, meetingID: String) { print("\(user) accepts \(meetingID)") }
    func declineMeeting(user: String, meetingID: String) { print("\(user) declines \(meetingID)") }
    func queueMeetingForDelivery(user: String, meetingID: String) { print("\(user) postpones \(meetingID)") }
}
