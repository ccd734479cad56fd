import CenterInterface
import CoreLocation
import NotificationModel
import ScriptedService
import Testing
import UserNotifications

/// Archives and copies of objects, and objects that apps' tests make with a coder.
@Suite(.timeLimit(.minutes(2))) struct ArchiveTests {
    private func data(_ object: any NSObject & NSSecureCoding) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data(object))
    }

    @Test func `a location trigger comes back from an archive with its region`() throws {
        let trigger = UNLocationNotificationTrigger(region: CLRegion.home, repeats: true)
        let back = try #require(try archived(trigger))
        #expect(back == trigger)
        let region = try #require(back.region as? CLCircularRegion)
        #expect(region.radius == 100)
        #expect(region.center.longitude == 13.405)
        #expect(region.notifyOnEntry && !region.notifyOnExit)
        let request = TestCenter.request(trigger: trigger)
        #expect(try archived(request)?.trigger == trigger)
    }

    @Test func `a rule that another program set comes back from an archive unchanged`() throws {
        let rule = NotificationRule("every day at 09:00", timeZone: "Asia/Tokyo", count: 3)
        let trigger = UNNotificationTrigger.made(of: .rule(rule))
        #expect(trigger.repeats)
        #expect(try trigger.trigger() == .rule(rule))
        #expect(trigger != UNNotificationTrigger.made(of: .rule(NotificationRule("15m"))))
        let request = TestCenter.request(trigger: trigger)
        #expect(try archived(request)?.trigger == trigger)
    }

    @Test func `an empty coder makes nil or an object with default values`() throws {
        let coder = FakeCoder()
        let rule = UNNotificationTrigger.made(of: .rule(NotificationRule("15m")))
        #expect(type(of: rule).init(coder: coder) == nil)
        #expect(UNNotificationRequest(coder: coder) == nil)
        #expect(UNNotification(coder: coder) == nil)
        #expect(UNNotificationAction(coder: coder) == nil)
        #expect(UNNotificationActionIcon(coder: coder) == nil)
        #expect(UNNotificationAttachment(coder: coder) == nil)
        #expect(UNNotificationCategory(coder: coder) == nil)
        #expect(UNCalendarNotificationTrigger(coder: coder) == nil)
        #expect(UNLocationNotificationTrigger(coder: coder) == nil)
        #expect(UNTimeIntervalNotificationTrigger(coder: coder) == nil)
        #expect(UNNotificationContent(coder: coder) == UNNotificationContent())
        #expect(UNNotificationSound(coder: coder) == .default)
        #expect(UNPushNotificationTrigger(coder: coder)?.repeats == false)
    }

    /// Tests of apps subclass these classes, whose only public initializer takes a coder.
    @Test func `an app's fake notification is made with a coder and keeps its overrides`() throws {
        final class FakeNotification: UNNotification, @unchecked Sendable {
            var fakeDate = Date(timeIntervalSince1970: 7)
            override var date: Date { fakeDate }
            override var request: UNNotificationRequest {
                UNNotificationRequest(identifier: "fake", content: .init(), trigger: nil)
            }
        }
        let coder = FakeCoder()
        coder.values = ["date": Date(), "request": TestCenter.request()]
        let fake = try #require(FakeNotification(coder: coder))
        #expect(fake.request.identifier == "fake")
        coder.values = ["notification": fake, "actionIdentifier": "open"]
        let response = try #require(UNNotificationResponse(coder: coder))
        #expect(response.notification === fake)
        #expect(response.notification.date == Date(timeIntervalSince1970: 7))
    }

    /// `NSCoder` ends the process in each decoding method that a subclass does not override.
    @Test func `a coder that decodes only a Boolean makes a push trigger`() throws {
        final class FlagCoder: NSCoder {
            override var allowsKeyedCoding: Bool { true }
            override func decodeBool(forKey key: String) -> Bool { key == "repeats" }
        }
        #expect(try #require(UNPushNotificationTrigger(coder: FlagCoder())).repeats)
    }

    @Test func `a coder without a date makes a notification and its response`() throws {
        let coder = FakeCoder()
        let request = TestCenter.request()
        coder.values = ["request": request]
        let notification = try #require(UNNotification(coder: coder))
        #expect(notification.request === request)
        #expect(notification.date == .distantPast)
        coder.values = ["notification": notification, "actionIdentifier": "open"]
        #expect(UNNotificationResponse(coder: coder)?.notification === notification)
    }

    /// Apps' tests also write such archives with `NSKeyedArchiver`.
    @Test func `an archive of only the needed values makes a notification and its response`() throws
    {
        func unarchiver(_ values: [String: NSObject]) throws -> NSKeyedUnarchiver {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            for (key, value) in values { archiver.encode(value, forKey: key) }
            archiver.finishEncoding()
            return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        }
        let request = TestCenter.request()
        var coder = try unarchiver(["request": request])
        let notification = try #require(UNNotification(coder: coder))
        #expect(notification.request == request)
        #expect(notification.date == .distantPast)
        coder = try unarchiver([
            "notification": notification, "actionIdentifier": "open" as NSString,
        ])
        let response = try #require(UNNotificationResponse(coder: coder))
        #expect(response.notification == notification)
        #expect(response.actionIdentifier == "open")
    }

    @Test func `settings made with a coder have the coder's values`() throws {
        let coder = FakeCoder()
        coder.values = [
            "authorizationStatus": Int64(2), "alertSetting": Int64(2), "soundSetting": Int64(1),
            "badgeSetting": Int64(9), "providesAppNotificationSettings": true,
        ]
        let settings = try #require(UNNotificationSettings(coder: coder))
        #expect(settings.authorizationStatus == .authorized)
        #expect(settings.alertSetting == .enabled)
        #expect(settings.soundSetting == .disabled)
        #expect(settings.badgeSetting == .notSupported, "9 is no value of the setting")
        #expect(settings.providesAppNotificationSettings)
    }

    @Test func `a request keeps its policy for late delivery`() async throws {
        let content = UNMutableNotificationContent()
        let plain = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        #expect(plain.catchUp == .once)
        #expect(plain.grace == nil)
        let request = UNNotificationRequest(
            identifier: "a", content: content, trigger: nil, catchUp: .skip, grace: 90)
        #expect(request != plain)
        #expect(request.description.contains("catchUp: skip, grace: 90"))
        #expect(!plain.description.contains("grace"))
        let back = try #require(try archived(request))
        #expect(back == request)
        #expect(back.catchUp == .skip)
        #expect(back.grace == 90)
        let test = TestCenter()
        try await test.center.add(request)
        let added = try #require(test.service.inputs(of: Members.add).first?.1)
        #expect(added.catchUp == .skip)
        #expect(added.grace == 90)
        let pending = try #require(await test.center.pendingNotificationRequests().first)
        #expect(pending == request)
    }

    @Test func `content with every kind of value comes back from an archive`() throws {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.targetContentIdentifier = "target"
        content.filterCriteria = ""
        content.setProgress(0.25)
        content.interruptionLevel = .critical
        content.relevanceScore = .infinity
        content.badge = 0
        content.sound = .criticalSoundNamed(.init("a"), withAudioVolume: 0.25)
        content.userInfo = [
            "list": [1, "two", Date(timeIntervalSince1970: 3), Data([4])],
            "nested": ["deep": ["deeper": true]],
        ]
        let back = try #require(try archived(content))
        #expect(back == content)
        #expect(type(of: back) == UNMutableNotificationContent.self)
        let nested = back.userInfo["nested"] as? [String: [String: Bool]]
        #expect(nested?["deep"]?["deeper"] == true)
        let first = (back.userInfo["list"] as? [Any])?.first
        #expect(first as? Int == 1, "a number, not a Boolean")
        let immutable = try #require(content.copy() as? UNNotificationContent)
        #expect(type(of: try archived(immutable) as Any) != UNMutableNotificationContent.self)
    }

    @Test func `a change of a mutable copy of content does not change the original`() throws {
        let content = UNMutableNotificationContent()
        content.userInfo = ["a": 1]
        let request = TestCenter.request(content: content)
        let copy = try #require(request.content.mutableCopy() as? UNMutableNotificationContent)
        copy.userInfo["a"] = 2
        copy.title = "Changed"
        #expect(request.content.userInfo["a"] as? Int == 1)
        #expect(request.content.title == "")
        #expect(copy.mutableCopy() as? UNMutableNotificationContent == copy)
        #expect(copy.mutableCopy() as? UNMutableNotificationContent !== copy)
    }

    @Test func `a request is sent with the content and region that it was made with`() async throws
    {
        let test = TestCenter()
        let content = UNMutableNotificationContent()
        content.title = "Before"
        let region = CLRegion.home
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        let request = TestCenter.request(content: content, trigger: trigger)
        content.title = "After"
        region.notifyOnExit = true
        try await test.center.add(request)
        content.title = "Later"
        let model = NotificationRegion(
            identifier: "home", latitude: 52.52, longitude: 13.405, radius: 100, onExit: false)
        let sent = try #require(test.service.inputs(of: Members.add).first?.1)
        #expect(sent.content.title == "Before")
        #expect(sent.trigger == .region(model, repeats: false))
        let pending = try #require(await test.center.pendingNotificationRequests().first)
        #expect(pending.trigger == trigger)
    }

    @Test func `a region that is no circle is refused`() async throws {
        // Unchecked Sendable, like its superclass.
        final class Beacon: CLRegion, @unchecked Sendable {}
        let coder = FakeCoder()
        coder.values = ["identifier": "beacon"]
        let beacon = try #require(Beacon(coder: coder))
        let trigger = UNLocationNotificationTrigger(region: beacon, repeats: false)
        let error = await #expect(throws: UNServiceError.self) {
            try await TestCenter().center.add(TestCenter.request(trigger: trigger))
        }
        #expect(error?.message.contains("CLCircularRegion") == true)
    }

    @Test func `a set contains equal categories and equal actions only once`() {
        func category(_ title: String = "A") -> UNNotificationCategory {
            UNNotificationCategory(
                identifier: "c",
                actions: [
                    UNNotificationAction(identifier: "a", title: title),
                    UNTextInputNotificationAction(
                        identifier: "t", title: "T", textInputButtonTitle: "S",
                        textInputPlaceholder: "P"),
                ], intentIdentifiers: ["i"], options: [.customDismissAction])
        }
        #expect(Set([category(), category(), category("B")]).count == 2)
        #expect(Set([category()]).contains(category()))
        let actions = Set([
            UNNotificationAction(identifier: "a", title: "A"),
            UNNotificationAction(identifier: "a", title: "A"),
            UNTextInputNotificationAction(
                identifier: "a", title: "A", textInputButtonTitle: "", textInputPlaceholder: ""),
        ])
        #expect(actions.count == 2)
        #expect(category() != category().identifier as NSString)
    }
}

/// A coder like those in the tests of apps.
final class FakeCoder: NSCoder {
    var values: [String: Any] = [:]

    override var allowsKeyedCoding: Bool { true }
    override func decodeObject(forKey key: String) -> Any? { values[key] }
    override func decodeInt64(forKey key: String) -> Int64 { values[key] as? Int64 ?? 0 }
    override func decodeBool(forKey key: String) -> Bool { values[key] as? Bool ?? false }
}
