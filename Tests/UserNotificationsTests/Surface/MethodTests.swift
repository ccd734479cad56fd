import Intents
import Testing
import UserNotifications

/// Every method and initialiser of Apple's classes, by spelling, types and default arguments.
@Suite(.timeLimit(.minutes(2))) struct MethodTests {
    typealias Handler<Value> = @Sendable (Value) -> Void

    /// The test names the methods by their full names and types; it passes if it compiles.
    @Test func `the center has Apple's methods`() {
        let center = UNUserNotificationCenter.current()
        let authorize:
            (UNAuthorizationOptions, @escaping @Sendable (Bool, (any Error)?) -> Void) -> Void =
                center.requestAuthorization(options:completionHandler:)
        let settings: (@escaping Handler<UNNotificationSettings>) -> Void =
            center.getNotificationSettings(completionHandler:)
        let setCategories: (Set<UNNotificationCategory>) -> Void =
            center.setNotificationCategories(_:)
        let categories: (@escaping Handler<Set<UNNotificationCategory>>) -> Void =
            center.getNotificationCategories(completionHandler:)
        let add: (UNNotificationRequest, Handler<(any Error)?>?) -> Void =
            center.add(_:withCompletionHandler:)
        let pending: (@escaping Handler<[UNNotificationRequest]>) -> Void =
            center.getPendingNotificationRequests(completionHandler:)
        let removePending: ([String]) -> Void =
            center.removePendingNotificationRequests(withIdentifiers:)
        let removeAllPending: () -> Void = center.removeAllPendingNotificationRequests
        let delivered: (@escaping Handler<[UNNotification]>) -> Void =
            center.getDeliveredNotifications(completionHandler:)
        let removeDelivered: ([String]) -> Void =
            center.removeDeliveredNotifications(withIdentifiers:)
        let removeAllDelivered: () -> Void = center.removeAllDeliveredNotifications
        let badge: (Int, Handler<(any Error)?>?) -> Void =
            center.setBadgeCount(_:withCompletionHandler:)
        let methods: [Any] = [
            authorize, settings, setCategories, categories, add, pending, removePending,
            removeAllPending, delivered, removeDelivered, removeAllDelivered, badge,
        ]
        #expect(methods.count == 12)
    }

    @Test func `the center has Apple's async methods`() {
        let center = UNUserNotificationCenter.current()
        let authorize: (UNAuthorizationOptions) async throws -> Bool =
            center.requestAuthorization(options:)
        let settings: () async -> UNNotificationSettings = center.notificationSettings
        let categories: () async -> Set<UNNotificationCategory> = center.notificationCategories
        let add: (UNNotificationRequest) async throws -> Void = center.add(_:)
        let pending: () async -> [UNNotificationRequest] = center.pendingNotificationRequests
        let delivered: () async -> [UNNotification] = center.deliveredNotifications
        let badge: (Int) async throws -> Void = center.setBadgeCount(_:)
        let methods: [Any] = [authorize, settings, categories, add, pending, delivered, badge]
        #expect(methods.count == 7)
    }

    /// Nobody calls this: the compiler checks the default arguments.
    private func defaultArguments(_ center: UNUserNotificationCenter) async throws {
        let request = UNNotificationRequest(identifier: "a", content: .init(), trigger: nil)
        func callbacks() {
            center.requestAuthorization { _, _ in }
            center.add(request)
            center.setBadgeCount(0)
        }
        callbacks()
        _ = try await center.requestAuthorization()
    }

    @Test func `the delegate has Apple's methods`() async {
        final class Delegate: NSObject, UNUserNotificationCenterDelegate {}
        let delegate: any UNUserNotificationCenterDelegate = Delegate()
        let open: (UNUserNotificationCenter, UNNotification?) -> Void =
            delegate.userNotificationCenter(_:openSettingsFor:)
        open(.current(), nil)
        let present:
            (UNUserNotificationCenter, UNNotification) async
                -> UNNotificationPresentationOptions = delegate.userNotificationCenter(
                    _:willPresent:)
        let receive: (UNUserNotificationCenter, UNNotificationResponse) async -> Void =
            delegate.userNotificationCenter(_:didReceive:)
        let presentForm:
            (
                UNUserNotificationCenter, UNNotification,
                @escaping Handler<UNNotificationPresentationOptions>
            ) -> Void = delegate.userNotificationCenter(_:willPresent:withCompletionHandler:)
        let receiveForm:
            (UNUserNotificationCenter, UNNotificationResponse, @escaping @Sendable () -> Void)
                -> Void = delegate.userNotificationCenter(_:didReceive:withCompletionHandler:)
        let methods: [Any] = [present, receive, presentForm, receiveForm]
        #expect(methods.count == 4)
    }

    @Test func `actions and categories have Apple's initialisers`() {
        let icon = UNNotificationActionIcon(templateImageName: "a")
        let actions = [
            UNNotificationAction(identifier: "a", title: "A"),
            UNNotificationAction(identifier: "a", title: "A", options: [.foreground]),
            UNNotificationAction(identifier: "a", title: "A", icon: nil),
            UNNotificationAction(identifier: "a", title: "A", options: [], icon: icon),
            UNTextInputNotificationAction(
                identifier: "a", title: "A", textInputButtonTitle: "B", textInputPlaceholder: "C"),
            UNTextInputNotificationAction(
                identifier: "a", title: "A", options: [], textInputButtonTitle: "B",
                textInputPlaceholder: "C"),
            UNTextInputNotificationAction(
                identifier: "a", title: "A", icon: UNNotificationActionIcon(systemImageName: "b"),
                textInputButtonTitle: "B", textInputPlaceholder: "C"),
            UNTextInputNotificationAction(
                identifier: "a", title: "A", options: [.destructive], icon: nil,
                textInputButtonTitle: "B", textInputPlaceholder: "C"),
        ]
        let categories = [
            UNNotificationCategory(identifier: "c", actions: actions, intentIdentifiers: []),
            UNNotificationCategory(
                identifier: "c", actions: actions, intentIdentifiers: [], options: []),
            UNNotificationCategory(
                identifier: "c", actions: actions, intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "p"),
            UNNotificationCategory(
                identifier: "c", actions: actions, intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "p", options: []),
            UNNotificationCategory(
                identifier: "c", actions: actions, intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil),
            UNNotificationCategory(
                identifier: "c", actions: actions, intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "p", categorySummaryFormat: "s", options: []),
        ]
        #expect(categories.map(\.actions) == Array(repeating: actions, count: 6))
        #expect(categories.map(\.hiddenPreviewsBodyPlaceholder) == ["", "", "p", "p", "", "p"])
        #expect(categories.map(\.categorySummaryFormat) == ["", "", "", "", "", "s"])
    }

    @Test func `triggers have Apple's initialisers`() {
        let components = DateComponents(hour: 8)
        let calendar = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        #expect(
            calendar
                == UNCalendarNotificationTrigger(dateMatchingComponents: components, repeats: true))
        let calendarDate: Date? = calendar.nextTriggerDate()
        #expect(calendarDate != nil)
        let interval = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        let intervalDate: Date? = interval.nextTriggerDate()
        #expect(intervalDate != nil)
        #expect(UNLocationNotificationTrigger(region: .home, repeats: true).repeats)
    }

    @Test func `sounds have Apple's makers`() {
        let name = UNNotificationSoundName("bell")
        let sounds: [UNNotificationSound] = [
            .default, .defaultCritical, .defaultRingtone, UNNotificationSound(named: name),
            .criticalSoundNamed(name), .criticalSoundNamed(name, withAudioVolume: 0.5),
            .defaultCriticalSound(withAudioVolume: 0.5), .ringtoneSoundNamed(name),
        ]
        #expect(Set(sounds).count == 8)
        // These methods return the class on which they are called.
        final class Bell: UNNotificationSound, @unchecked Sendable {}
        let bell: Bell = Bell.criticalSoundNamed(name)
        #expect(bell == .criticalSoundNamed(name))
    }

    @Test func `attachments have Apple's initialisers`() throws {
        let make: (String, URL, [AnyHashable: Any]?) throws -> UNNotificationAttachment =
            UNNotificationAttachment.init(identifier:url:options:)
        let missing = URL(fileURLWithPath: "/nonexistent.png")
        #expect(throws: UNError.self) {
            try make("a", missing, nil)
        }
        #expect(throws: UNError.self) {
            try UNNotificationAttachment(identifier: "a", url: missing)
        }
        #expect(throws: UNError.self) {
            try UNNotificationAttachment(identifier: "a", URL: missing)
        }
        #expect(throws: UNError.self) {
            try UNNotificationAttachment(identifier: "a", URL: missing, options: [:])
        }
    }

    @Test func `the service extension has Apple's methods`() {
        final class Service: UNNotificationServiceExtension {
            var handler: ((UNNotificationContent) -> Void)?
            var best: UNMutableNotificationContent?

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                handler = contentHandler
                best = request.content.mutableCopy() as? UNMutableNotificationContent
                best?.title = "Changed"
            }

            override func serviceExtensionTimeWillExpire() {
                if let handler, let best { handler(best) }
            }
        }
        let service = Service()
        var shown: UNNotificationContent?
        service.didReceive(UNNotificationRequest(identifier: "a", content: .init(), trigger: nil)) {
            shown = $0
        }
        #expect(shown == nil)
        service.serviceExtensionTimeWillExpire()
        #expect(shown?.title == "Changed")
    }

    @Test func `content is updated from providers`() throws {
        let update: (any UNNotificationContentProviding) throws -> UNNotificationContent =
            UNNotificationContent().updating(from:)
        let sender = INPerson(
            personHandle: INPersonHandle(value: "ann@example.org", type: .emailAddress),
            nameComponents: nil, displayName: "Ann", image: nil, contactIdentifier: nil,
            customIdentifier: nil)
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi",
            speakableGroupName: INSpeakableString(spokenPhrase: "Hikers"),
            conversationIdentifier: "c", serviceName: nil, sender: sender, attachments: nil)
        let updated = try update(message)
        #expect(
            [updated.title, updated.subtitle, updated.threadIdentifier] == ["Ann", "Hikers", "c"])
        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: [sender], callCapability: .audioCall)
        #expect(try update(call).title == "Ann")
        let context = UNNotificationAttributedMessageContext(
            sendMessageIntent: message, attributedContent: NSAttributedString(string: "Bold"))
        #expect(try update(context).body == "Bold")
    }

    /// Apps cast the result with `as!`, and change it.
    @Test func `content that is updated from a message can be changed`() throws {
        let sender = INPerson(
            personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
            displayName: "Ann", image: nil, contactIdentifier: nil, customIdentifier: nil)
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi",
            speakableGroupName: nil, conversationIdentifier: nil, serviceName: nil, sender: sender,
            attachments: nil)
        for content in [UNNotificationContent(), UNMutableNotificationContent()] {
            let updated = try content.updating(from: message)
            let changed = try #require(updated as? UNMutableNotificationContent)
            changed.body = "Changed"
            #expect([changed.title, changed.body] == ["Ann", "Changed"])
            #expect(content.body == "")
        }
    }

    // The service extension of a messenger makes a group's message in this form.
    @Test func `content is updated from a message to a group`() throws {
        let sender = INPerson(
            personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
            displayName: "Ann", image: nil, contactIdentifier: nil, customIdentifier: "ann",
            isMe: false, suggestionType: .none)
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi",
            speakableGroupName: INSpeakableString(spokenPhrase: "Hikers"),
            conversationIdentifier: "c", serviceName: nil, sender: sender, attachments: nil)
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.recipientCount = 3
        metadata.mentionsCurrentUser = true
        message.donationMetadata = metadata
        #expect(message.donationMetadata === metadata)
        let updated = try UNNotificationContent().updating(from: message)
        #expect([updated.title, updated.subtitle] == ["Ann", "Hikers"])
    }

    @Test func `content is updated from a call with a record and a message with a sound`() throws {
        let ann = INPerson(
            personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
            displayName: "Ann", image: nil, contactIdentifier: nil, customIdentifier: nil)
        let record = INCallRecord(
            identifier: "7", caller: ann, callRecordType: .missed, callCapability: .audioCall)
        #expect(record.callRecordType.rawValue == 2 && record.participants == [ann])
        let filter = INCallRecordFilter(
            participants: [ann], callTypes: [.missed, .onHold], callCapability: .audioCall)
        #expect(filter.callTypes.rawValue == 130)
        let call = INStartCallIntent(
            callRecordFilter: filter, callRecordToCallBack: record, audioRoute: .unknown,
            destinationType: .callBack, contacts: [ann], callCapability: .audioCall)
        #expect(try UNNotificationContent().updating(from: call).title == "Ann")
        let file = INFile(data: Data([7]), filename: "hi.m4a", typeIdentifier: nil)
        let sound = INSendMessageAttachment(audioMessageFile: file)
        #expect(sound.audioMessageFile?.data == Data([7]))
        #expect(
            INFile(fileURL: URL(filePath: "/a/b.m4a"), filename: nil, typeIdentifier: nil).filename
                == "b.m4a")
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageAudio, content: "Hi",
            speakableGroupName: nil, conversationIdentifier: nil, serviceName: nil, sender: ann,
            attachments: [sound])
        #expect(try UNNotificationContent().updating(from: message).title == "Ann")
    }

    // The service extensions of messengers make their messages and calls in this form.
    @Test func `content is updated from a message and a call with images`() throws {
        let image = INImage(imageData: Data([7]))
        let ann = INPerson(
            personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
            displayName: "Ann", image: image, contactIdentifier: nil, customIdentifier: nil)
        let message = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi",
            speakableGroupName: nil, conversationIdentifier: "c", serviceName: nil, sender: ann,
            attachments: nil)
        message.setImage(image, forParameterNamed: \.sender)
        #expect(try UNNotificationContent().updating(from: message).title == "Ann")
        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: [ann], callCapability: .videoCall)
        call.setImage(image, forParameterNamed: \.contacts)
        #expect(try UNNotificationContent().updating(from: call).title == "Ann")
    }

    /// Apps give the address of a sender's image on their server, and unwrap the image with `!`.
    @Test(arguments: [
        ("https://example.org/ann.png", true), ("HTTP://example.org/ann.png", true),
        ("file:///ann.png", true), ("ftp://example.org/ann.png", false), ("ann.png", false),
    ])
    func `an image is made from an address with a scheme that images have`(
        _ address: String, isMade: Bool
    ) throws {
        let url = try #require(URL(string: address))
        #expect((INImage(url: url) != nil) == isMade)
        #expect((INImage(url: url, width: 60, height: 60) != nil) == isMade)
    }

    @Test func `an app's own provider is refused, and so is an empty message`() throws {
        final class Provider: NSObject, UNNotificationContentProviding {}
        let foreign = #expect(throws: UNError.self) {
            try UNNotificationContent().updating(from: Provider())
        }
        #expect(foreign?.code == .contentProvidingObjectNotAllowed)
        let empty = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .unknown, content: nil, speakableGroupName: nil,
            conversationIdentifier: nil, serviceName: nil, sender: nil, attachments: nil)
        let invalid = #expect(throws: UNError.self) {
            try UNNotificationContent().updating(from: empty)
        }
        #expect(invalid?.code == .contentProvidingInvalid)
    }

    @Test func `every coded class supports secure coding and copying`() {
        let classes: [any (NSObject & NSSecureCoding).Type] = [
            UNNotification.self, UNNotificationAction.self, UNNotificationActionIcon.self,
            UNNotificationAttachment.self, UNNotificationCategory.self, UNNotificationContent.self,
            UNNotificationRequest.self, UNNotificationResponse.self, UNNotificationSettings.self,
            UNNotificationSound.self, UNNotificationTrigger.self,
        ]
        #expect(classes.allSatisfy { $0.supportsSecureCoding })
        let copied: [any NSCopying.Type] = [
            UNNotification.self, UNNotificationAction.self, UNNotificationActionIcon.self,
            UNNotificationAttachment.self, UNNotificationCategory.self, UNNotificationContent.self,
            UNNotificationRequest.self, UNNotificationResponse.self, UNNotificationSettings.self,
            UNNotificationSound.self, UNNotificationTrigger.self,
        ]
        #expect(copied.count == classes.count)
        #expect((UNNotificationContent.self as Any) is any NSMutableCopying.Type)
    }

    /// `import UserNotifications` alone brings both modules, as on Apple's platforms.
    @Test func `the import brings Foundation and its networking`() {
        #expect(URLRequest(url: URL(fileURLWithPath: "/")).httpMethod == "GET")
    }
}
