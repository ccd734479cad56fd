import Testing
import UserNotifications

/// Programs written as for Apple's platforms.
///
/// Their compilation is half of the test. The import is plain, so that a program sees only what
/// apps see.
@Suite struct ProgramTests {
    /// Apps add their own properties to triggers.
    final class NamedTrigger: UNTimeIntervalNotificationTrigger, @unchecked Sendable {}

    @Test func `a trigger can be subclassed`() {
        let trigger = NamedTrigger(timeInterval: 60, repeats: true)
        #expect(trigger.timeInterval == 60)
        #expect(trigger.repeats)
        #expect(trigger.description.contains("NamedTrigger"))
    }

    /// Apps also add properties to content.
    final class NamedContent: UNMutableNotificationContent, @unchecked Sendable {
        var name = "named"
    }

    @Test func `content can be subclassed`() {
        let content = NamedContent()
        content.title = "Title"
        #expect((content.copy() as? UNNotificationContent)?.title == "Title")
        #expect(content.name == "named")
    }

    /// Tests of apps override properties of content that cannot change.
    final class FakeContent: UNNotificationContent, @unchecked Sendable {
        override var userInfo: [AnyHashable: Any] { ["order": 7] }
    }

    @Test func `a request keeps an overridden property of immutable content`() {
        let request = UNNotificationRequest(identifier: "r", content: FakeContent(), trigger: nil)
        #expect(request.content.userInfo["order"] as? Int == 7)
    }

    @Test func `the usual program compiles`() {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "Hello", arguments: nil)
        content.sound = .default
        content.sound = UNNotificationSound(named: UNNotificationSoundName("bell.wav"))
        content.sound = UNNotificationSound.defaultCriticalSound(withAudioVolume: 2)
        #expect(content.sound == .defaultCriticalSound(withAudioVolume: 1))
        content.badge = 1
        content.badge = NSNumber(value: 2)
        content.userInfo["image"] = "https://example.org/a.png"
        #expect(content.userInfo["image"] as? String == "https://example.org/a.png")
        let action = UNTextInputNotificationAction(identifier: "c", title: "C", options: [])
        #expect(action.textInputButtonTitle == "")
        let category = UNNotificationCategory(
            identifier: "m", actions: [action], intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "", options: .customDismissAction)
        #expect(category.actions.first is UNTextInputNotificationAction)
        let trigger = UNCalendarNotificationTrigger(
            dateMatchingComponents: DateComponents(hour: 8), repeats: true)
        #expect(trigger.dateComponents.hour == 8)
        let request = UNNotificationRequest(
            identifier: UUID().uuidString, content: content, trigger: nil)
        #expect(request.trigger == nil)
    }

    @Test func `a service extension that overrides nothing shows the original`() {
        let content = UNMutableNotificationContent()
        content.body = "Original"
        let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
        var shown: UNNotificationContent?
        UNNotificationServiceExtension().didReceive(request) { shown = $0 }
        #expect(shown?.body == "Original")
    }

    @Test func `an app may ask for access to a URL, which Linux does not require`() {
        let url = URL(fileURLWithPath: "/")
        #expect(url.startAccessingSecurityScopedResource())
        url.stopAccessingSecurityScopedResource()
    }
}
