import UserNotifications

/// Follows an article about an invitation: a category with two buttons, and a delegate that acts on
/// the response.
///
///     MeetingInvitation [SECONDS]   the invitation comes after so many seconds, 3 if not given
///
/// "Accept" and "Decline" answer the invitation. If the user opens or dismisses the notification,
/// the invitation stays open.
@main
struct MeetingInvitation {
    static func main() async {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
        let center = UNUserNotificationCenter.current()
        let delegate = InvitationDelegate()
        center.delegate = delegate
        center.setNotificationCategories([InvitationDelegate.category])
        do {
            guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else {
                print("The invitation needs the permission to notify.")
                exit(77)
            }
            try await center.add(invitation(after: seconds))
        } catch {
            print("Not invited: \(error.localizedDescription)")
            exit(1)
        }
        print("The invitation is on its way.")
        for await decision in delegate.decisions.stream {
            print(decision)
            break
        }
        // Without `flush`, the response might come again at the next start.
        await center.flush()
        withExtendedLifetime(delegate) {}
    }

    private static func invitation(after seconds: TimeInterval) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = "Weekly staff meeting"
        content.body = "Every Tuesday at two, in the large room."
        content.categoryIdentifier = InvitationDelegate.category.identifier
        content.userInfo = ["MEETING_ID": "staff-tuesday", "USER_ID": "ada"]
        return UNNotificationRequest(
            identifier: "invitation", content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false))
    }
}

struct MeetingCalendar: Sendable {
    func accept(_ meeting: String, for user: String) -> String {
        "\(user) accepts \(meeting)."
    }

    func decline(_ meeting: String, for user: String) -> String {
        "\(user) declines \(meeting)."
    }

    func keepOpen(_ meeting: String, for user: String, because reason: String) -> String {
        "\(user) \(reason) \(meeting): the invitation stays open."
    }
}

/// Turns each response into a decision about the meeting that the notification names.
final class InvitationDelegate: NSObject, UNUserNotificationCenterDelegate {
    static let category = UNNotificationCategory(
        identifier: "MEETING_INVITATION",
        actions: [
            UNNotificationAction(identifier: "ACCEPT_ACTION", title: "Accept"),
            UNNotificationAction(identifier: "DECLINE_ACTION", title: "Decline"),
        ], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "",
        options: .customDismissAction)

    let decisions = AsyncStream.makeStream(of: String.self)
    private let calendar = MeetingCalendar()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        let content = response.notification.request.content
        if content.categoryIdentifier == Self.category.identifier,
            let meeting = content.userInfo["MEETING_ID"] as? String,
            let user = content.userInfo["USER_ID"] as? String,
            let decision = decide(response.actionIdentifier, meeting: meeting, user: user)
        {
            decisions.continuation.yield(decision)
        }
    }

    private func decide(_ action: String, meeting: String, user: String) -> String? {
        switch action {
        case "ACCEPT_ACTION": calendar.accept(meeting, for: user)
        case "DECLINE_ACTION": calendar.decline(meeting, for: user)
        case UNNotificationDefaultActionIdentifier:
            calendar.keepOpen(meeting, for: user, because: "opened")
        case UNNotificationDismissActionIdentifier:
            calendar.keepOpen(meeting, for: user, because: "dismissed")
        default: nil
        }
    }
}
