import Intents
import NotificationModel
import Reactor
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(2))) struct ObjectTests {
    private func content() -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.badge = 2
        content.sound = .default
        content.userInfo = ["order": 42, "list": [1.5, true]]
        content.attachments = [
            UNNotificationAttachment(
                value: .init(identifier: "a", path: "/a.png", type: "public.png"), isStored: true)
        ]
        content.interruptionLevel = .passive
        return content
    }

    @Test func `a copy of mutable content is immutable and independent`() throws {
        let mutable = content()
        let copy = try #require(mutable.copy() as? UNNotificationContent)
        #expect(type(of: copy) == UNNotificationContent.self)
        #expect(copy == mutable)
        mutable.title = "Other"
        #expect(copy.title == "Title")
        let again = try #require(copy.mutableCopy() as? UNMutableNotificationContent)
        again.body = "New"
        #expect(copy.body == "")
        #expect(copy.copy() as? UNNotificationContent === copy)
    }

    @Test func `a request keeps the content it was made with`() {
        let mutable = content()
        let request = TestCenter.request(content: mutable)
        mutable.title = "Other"
        #expect(request.content.title == "Title")
        #expect(!(request.content is UNMutableNotificationContent))
    }

    @Test func `objects with equal values are equal`() {
        #expect(content() == content())
        #expect(content().hash == content().hash)
        let other = content()
        other.userInfo = [:]
        #expect(other != content())
        #expect(
            UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
                == UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false))
        #expect(
            UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
                != UNCalendarNotificationTrigger(dateMatching: .init(second: 5), repeats: false))
        #expect(UNNotificationSound(named: .init("a")) != .default)
        #expect(
            UNNotificationAction(identifier: "a", title: "A")
                != UNTextInputNotificationAction(
                    identifier: "a", title: "A", textInputButtonTitle: "", textInputPlaceholder: "")
        )
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }

    @Test func `every class comes back from a secure archive`() throws {
        let action = UNTextInputNotificationAction(
            identifier: "a", title: "A", options: [.foreground], textInputButtonTitle: "Send",
            textInputPlaceholder: "Text")
        let category = UNNotificationCategory(
            identifier: "c", actions: [action], intentIdentifiers: ["i"],
            options: [.customDismissAction])
        let interval = UNTimeIntervalNotificationTrigger(timeInterval: 61.5, repeats: true)
        let calendar = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(timeZone: .gmt, hour: 8), repeats: true)
        let request = TestCenter.request(content: content(), trigger: calendar)
        let notification = UNNotification(date: Date(timeIntervalSince1970: 5), request: request)
        let response = UNNotificationResponse(
            notification: notification, actionIdentifier: "like", activationToken: "token")
        let reply = UNTextInputNotificationResponse(
            notification: notification, actionIdentifier: "reply", text: "Hello")
        #expect(try archived(content()) == content())
        #expect(try archived(action) == action)
        #expect(try archived(category) == category)
        #expect(try archived(interval) == interval)
        #expect(try archived(calendar) == calendar)
        #expect(try archived(request) == request)
        #expect(try archived(notification) == notification)
        #expect(try archived(response) == response)
        #expect(try archived(reply)?.userText == "Hello")
        let sound = UNNotificationSound.criticalSoundNamed(.init("bell"), withAudioVolume: 0.25)
        #expect(try archived(sound) == sound)
        #expect(try archived(UNNotificationSound.defaultRingtone) == .defaultRingtone)
        let settings = UNNotificationSettings(
            values: SettingsValues(
                ApplicationSettings(
                    permission: nil,
                    presenter: PresenterStatus(isAvailable: true, capabilities: ["sound"]))))
        #expect(try archived(settings) == settings)
        let icon = UNNotificationActionIcon(systemImageName: "mail")
        #expect(try archived(icon) == icon)
        let attachment = try #require(content().attachments.first)
        #expect(try archived(attachment)?.isStored == true)
        let handle = INPersonHandle(value: "+1 555", type: .phoneNumber, label: .work)
        #expect(try archived(handle)?.label == .work)
    }

    /// Apps archive the members of a conversation, and later look for the user among them.
    @Test(arguments: [true, false])
    func `a person comes back from an archive as the user or as another person`(
        isMe: Bool
    ) throws {
        let handle = INPersonHandle(value: "ann", type: .unknown)
        let image = INImage.systemImageNamed("person.circle")
        let person = INPerson(
            personHandle: handle, nameComponents: nil, displayName: "Ann", image: image,
            contactIdentifier: nil, customIdentifier: nil, isMe: isMe)
        let back = try #require(try archived(person))
        #expect(back.isMe == isMe && back.suggestionType == INPersonSuggestionType.none)
        #expect(back.image != nil)
        let proposed = INPerson(
            personHandle: handle, nameComponents: nil, displayName: "Ann", image: nil,
            contactIdentifier: nil, customIdentifier: nil, isMe: isMe,
            suggestionType: .socialProfile)
        #expect(proposed.isMe == isMe)
        #expect(try archived(proposed)?.suggestionType == .socialProfile)
    }

    @Test func `a person is not the user if the app does not say so`() {
        let person = INPerson(
            personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
            displayName: "Ann", image: nil, contactIdentifier: nil, customIdentifier: nil)
        #expect(!person.isMe)
    }

    /// Apps' tests make notifications and responses with a coder: these classes have no other
    /// public initializer.
    ///
    /// Such a coder has values only for the keys that the test sets.
    @Test func `a test's coder makes responses and settings`() throws {
        final class KeyedValues: NSCoder {
            var values: [String: Any] = [:]
            override var allowsKeyedCoding: Bool { true }
            override func decodeObject(forKey key: String) -> Any? { values[key] }
            override func decodeInt64(forKey key: String) -> Int64 {
                values[key] as? Int64 ?? 0
            }
            override func decodeBool(forKey key: String) -> Bool { values[key] as? Bool ?? false }
        }
        let coder = KeyedValues()
        coder.values = ["date": Date(timeIntervalSince1970: 9), "request": TestCenter.request()]
        let notification = try #require(UNNotification(coder: coder))
        #expect(notification.date == Date(timeIntervalSince1970: 9))
        coder.values = [
            "notification": notification, "actionIdentifier": "reply", "userText": "Hi",
        ]
        let response = try #require(UNTextInputNotificationResponse(coder: coder))
        #expect(response.actionIdentifier == "reply")
        #expect(response.userText == "Hi")
        coder.values = [:]
        #expect(UNNotificationResponse(coder: coder) == nil)
        coder.values = ["authorizationStatus": Int64(1)]
        #expect(UNNotificationSettings(coder: coder)?.authorizationStatus == .denied)
    }

    /// An app may make these calls while it holds a lock that its handler also takes.
    @Test func `the handlers of interactions run on another thread than the call`() {
        let intent = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: nil, callCapability: .audioCall)
        let interaction = INInteraction(intent: intent, response: nil)
        let calls: [((@Sendable ((any Error)?) -> Void)?) -> Void] = [
            { interaction.donate(completion: $0) },
            { INInteraction.delete(with: ["1", "2"], completion: $0) },
            { INInteraction.delete(with: "conversation", completion: $0) },
            { INInteraction.deleteAll(completion: $0) },
        ]
        for call in calls {
            let thread = Locked<pthread_t?>(nil)
            let hasRun = DispatchSemaphore(value: 0)
            call { error in
                #expect(error == nil)
                thread.withLock { $0 = pthread_self() }
                hasRun.signal()
            }
            hasRun.wait()
            #expect(thread.withLock(\.self) != pthread_self())
        }
    }

    /// Messengers delete the interactions of a conversation that the user has left.
    @Test func `deleting interactions never fails`() async {
        await #expect(throws: Never.self) {
            try await INInteraction.delete(with: ["1", "2"])
            try await INInteraction.delete(with: "conversation")
            try await INInteraction.deleteAll()
        }
    }

    @Test func `arguments fill a localized text in order and by number`() {
        #expect(
            NSString.localizedUserNotificationString(
                forKey: "%@ has 100%% of %2$@, %d and %@", arguments: ["Ann", 7])
                == "Ann has 100% of 7, %d and 7")
        #expect(
            NSString.localizedUserNotificationString(forKey: "%@ %9$@", arguments: nil)
                == "%@ %9$@")
    }

    /// The text must not contain `Optional("Ann")`.
    @Test func `an argument of a localized text reads as on Apple's platforms`() {
        let name: String? = "Ann"
        let nobody: String? = nil
        #expect(
            NSString.localizedUserNotificationString(
                forKey: "%@ %@ %@ %@ %@ %@",
                arguments: [name as Any, nobody as Any, true, 2.0, 2.5, NSNumber(value: 1)])
                == "Ann <null> 1 2 2.5 1")
        let numbers: [Any] = [
            Float(2), Float(0.1), CGFloat(2), NSNumber(value: 2.0),
            NSDecimalNumber(string: "0.12345678901234567891"),
        ]
        #expect(
            NSString.localizedUserNotificationString(
                forKey: "%@ %@ %@ %@ %@", arguments: numbers)
                == "2 0.1 2 2 0.12345678901234567891")
    }
}
