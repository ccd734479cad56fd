import CoreLocation
import Intents
import NotificationModel
import Testing

@testable import UserNotifications

/// Descriptions have Apple's form, so that logs of both platforms can be compared.
@Suite struct DescriptionTests {
    /// The description with every address replaced.
    private func text(_ object: NSObject) -> String {
        withoutAddresses(object.description)
    }

    /// Replaces addresses, because a property may return a new object at each call.
    private func withoutAddresses(_ text: String) -> String {
        text.replacing(/0x[0-9a-f]+/, with: "0x1")
    }

    @Test func `a request's description shows its content and its trigger`() {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.body = "Body"
        content.badge = 2
        content.userInfo = ["secret": "text"]
        content.categoryIdentifier = "category"
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false)
        #expect(
            text(TestCenter.request("milk", content: content, trigger: trigger)) == """
                <UNNotificationRequest: 0x1; identifier: milk, content: \
                <UNNotificationContent: 0x1; title: Title, subtitle: (null), body: Body, \
                summaryArgument: (null), summaryArgumentCount: 0, categoryIdentifier: category, \
                launchImageName: , threadIdentifier: , attachments: (\n), badge: 2, \
                sound: (null), interruptionLevel: 1, relevanceScore: 0.00, \
                filterCriteria: (null)>, trigger: <UNTimeIntervalNotificationTrigger: 0x1; \
                repeats: NO, timeInterval: 10.000000>>
                """)
        #expect(text(TestCenter.request()).hasSuffix("trigger: (null)>"))
    }

    @Test func `a trigger's description shows its date or its region`() {
        #expect(
            text(
                UNCalendarNotificationTrigger(
                    dateMatching: DateComponents(hour: 20, minute: 34), repeats: true)) == """
                    <UNCalendarNotificationTrigger: 0x1; dateComponents: <NSDateComponents> {
                        Hour: 20
                        Minute: 34, repeats: YES>
                    """)
        #expect(
            text(UNLocationNotificationTrigger(region: CLRegion.home, repeats: false)) == """
                <UNLocationNotificationTrigger: 0x1; region: CLCircularRegion \
                (identifier:'home', center:<+52.52000000,+13.40500000>, radius:100.00m), \
                repeats: NO>
                """)
        #expect(
            text(UNNotificationTrigger.made(of: .push))
                == "<UNPushNotificationTrigger: 0x1; repeats: NO>")
    }

    @Test func `a response's description shows its action and its notification`() {
        let notification = UNNotification(
            date: Date(timeIntervalSince1970: 0), request: TestCenter.request())
        let response = UNNotificationResponse(notification: notification, actionIdentifier: "like")
        #expect(
            text(response).hasPrefix(
                "<UNNotificationResponse: 0x1; actionIdentifier: like, notification: "
                    + "<UNNotification: 0x1; date: 1970-01-01 00:00:00 +0000, request: "
                    + "<UNNotificationRequest: 0x1; identifier: one, "))
        let reply = UNTextInputNotificationResponse(
            notification: notification, actionIdentifier: "reply", text: "Hello")
        #expect(
            text(reply).hasPrefix(
                "<UNTextInputNotificationResponse: 0x1; actionIdentifier: reply, userText: Hello, "
                    + "notification: <UNNotification: 0x1; "))
    }

    @Test func `the description of settings shows the names of their values`() {
        let settings = UNNotificationSettings(values: SettingsValues())
        #expect(text(settings).hasPrefix("<UNNotificationSettings: 0x1; authorizationStatus: "))
        for part in [
            "soundSetting: NotSupported", "alertStyle: None", "carPlaySetting: NotSupported",
            "showsPreviewsSetting: Always", "providesAppNotificationSettings: No>",
        ] {
            #expect(text(settings).contains(part), "\(settings)")
        }
    }

    @Test func `every description shows the name of the class without its module`() {
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .unknown, content: nil, speakableGroupName: nil,
            conversationIdentifier: nil, serviceName: nil, sender: nil, attachments: nil)
        let action = UNNotificationAction(identifier: "a", title: "A", options: [.foreground])
        let objects: [NSObject] = [
            TestCenter().center, UNNotificationServiceExtension(), action,
            UNNotificationContent(), UNMutableNotificationContent(), UNNotificationSound.default,
            UNNotificationActionIcon(systemImageName: "mail"),
            UNTextInputNotificationAction(identifier: "t", title: "T"),
            UNNotificationCategory(identifier: "c", actions: [action], intentIdentifiers: []),
            UNNotificationAttributedMessageContext(
                sendMessageIntent: intent, attributedContent: NSAttributedString(string: "")),
        ]
        for object in objects {
            #expect(text(object).hasPrefix("<\(type(of: object)): 0x1"), "\(object)")
            #expect(text(object).hasSuffix(">"))
            #expect(withoutAddresses(object.debugDescription) == text(object))
        }
        #expect(text(action).contains("identifier: a, title: A, options: 4"))
    }
}
