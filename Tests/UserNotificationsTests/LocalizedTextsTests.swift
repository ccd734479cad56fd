import CenterInterface
import Intents
import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// Texts that the service localizes again at delivery.
@Suite(.timeLimit(.minutes(2))) struct LocalizedTextsTests {
    private static func key(_ name: String = #function) -> String { "KEY-\(name)-\(UUID())" }

    @Test func `a localized text is readable and keeps its key`() async throws {
        let key = Self.key()
        let text = NSString.localizedUserNotificationString(
            forKey: key + " %@ %2$@", arguments: ["Anna", 3])
        #expect(text == key + " Anna 3")
        let content = UNMutableNotificationContent()
        content.title = text
        content.body = "plain"
        let test = TestCenter()
        try await test.center.add(TestCenter.request(content: content))
        let sent = test.service.inputs(of: Members.add).first?.1.content
        #expect(sent?.title == text)
        #expect(
            sent?.localization
                == ContentLocalization(
                    title: LocalizedText(key: key + " %@ %2$@", arguments: ["Anna", "3"])))
        let pending = await test.center.pendingNotificationRequests()
        #expect(pending.first?.content.title == text)
    }

    @Test func `a localized text that an app changes loses its key`() throws {
        var model = NotificationContent(title: "You have mail", body: "from Anna")
        model.localization = ContentLocalization(
            title: LocalizedText(key: Self.key()), body: LocalizedText(key: Self.key()))
        let content = UNMutableNotificationContent(values: ContentValues(model))
        content.title = "You have mail"
        #expect(try content.values.content().localization == model.localization)
        content.title = "Another title"
        #expect(try content.values.content().localization?.title == nil)
        #expect(try content.values.content().localization?.body == model.localization?.body)
        content.body = ""
        #expect(try content.values.content().localization == nil)
    }

    // A service extension can turn a push with `title-loc-key` into a message. If the content kept
    // the key, the service would replace the message's title at delivery.
    @Test func `a message's texts replace localized texts and their keys`() throws {
        var model = NotificationContent(title: "New message", body: "Open the app")
        model.localization = ContentLocalization(
            title: LocalizedText(key: Self.key()), subtitle: LocalizedText(key: Self.key()),
            body: LocalizedText(key: Self.key()))
        let sender = INPerson(
            personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil,
            displayName: "Anna", image: nil, contactIdentifier: nil, customIdentifier: nil)
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: nil,
            speakableGroupName: INSpeakableString(spokenPhrase: "Family"),
            conversationIdentifier: nil, serviceName: nil, sender: sender, attachments: nil)
        let content = UNNotificationContent(values: ContentValues(model))
        let updated = try content.updating(from: message).values.content()
        #expect(updated.title == "Anna" && updated.subtitle == "Family")
        #expect(updated.localization == ContentLocalization(body: model.localization?.body))
        let context = UNNotificationAttributedMessageContext(
            sendMessageIntent: message, attributedContent: NSAttributedString(string: Self.key()))
        #expect(try content.updating(from: context).values.content().localization == nil)
    }

    @Test func `only the latest localized texts are remembered`() {
        let texts = LocalizedTexts(capacity: 2)
        for name in ["a", "b", "c", "c"] { texts.remember(LocalizedText(key: name), reading: name) }
        #expect(texts.text(reading: "a") == nil)
        #expect(texts.text(reading: "b")?.key == "b" && texts.text(reading: "c")?.key == "c")
        #expect(texts.text(reading: "") == nil)
    }

    // An app makes the same title again for each request, and a different body each time.
    @Test func `a localized text that an app makes again is kept longer than older texts`() {
        let texts = LocalizedTexts(capacity: 2)
        for name in ["a", "b", "a", "c"] { texts.remember(LocalizedText(key: name), reading: name) }
        #expect(texts.text(reading: "a")?.key == "a" && texts.text(reading: "c")?.key == "c")
        #expect(texts.text(reading: "b") == nil)
    }
}
