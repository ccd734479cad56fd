import CenterInterface
import NotificationModel
import ScriptedService
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(2))) struct ErrorTests {
    @Test(arguments: [
        (NotificationError.Code.notAllowed, UNError.Code.notificationsNotAllowed),
        (.accessDenied, .notificationsNotAllowed),
        (.noDate, .notificationInvalidNoDate), (.attachmentInvalid, .attachmentInvalidURL),
        (.attachmentUnrecognized, .attachmentUnrecognizedType),
        (.attachmentTooLarge, .attachmentInvalidFileSize),
        (.attachmentNotStored, .attachmentMoveIntoDataStoreFailed),
        (.attachmentCorrupt, .attachmentCorrupt),
        (.attachmentNotFound, .attachmentNotInDataStore), (.badgeInvalid, .badgeInputInvalid),
    ])
    func `a failure for which Apple has an error becomes that error`(
        code: NotificationError.Code, apple: UNError.Code
    ) {
        let error = NotificationError(code, "What to do.").asUserNotificationsError
        #expect((error as? UNError)?.code == apple)
        #expect(error.localizedDescription == "What to do.")
        #expect((error as NSError).domain == UNErrorDomain)
        #expect((error as NSError).code == apple.rawValue)
        #expect((error as NSError).localizedDescription == "What to do.")
    }

    @Test func `a failure without an Apple error becomes a UNServiceError with its message`() {
        let apples: Set<NotificationError.Code> = [
            .notAllowed, .accessDenied, .noDate, .attachmentInvalid, .attachmentUnrecognized,
            .attachmentTooLarge, .attachmentNotStored, .attachmentCorrupt, .attachmentNotFound,
            .badgeInvalid,
        ]
        var codes: Set<UNServiceError.Code> = []
        for code in NotificationError.Code.allCases where !apples.contains(code) {
            let error = NotificationError(code, "What to do.").asUserNotificationsError
            #expect(error.localizedDescription == "What to do.")
            if let code = (error as? UNServiceError)?.code { codes.insert(code) }
        }
        #expect(codes.count == NotificationError.Code.allCases.count - apples.count)
    }

    @Test func `an error can be caught by its code`() {
        var caught = ""
        do {
            throw UNError(.attachmentInvalidURL)
        } catch UNError.badgeInputInvalid {
            caught = "badge"
        } catch UNError.attachmentInvalidURL {
            caught = "url"
        } catch {
            caught = "other"
        }
        #expect(caught == "url")
        let error: any Error = UNError(.notificationsNotAllowed)
        #expect(
            error.localizedDescription == "Notifications are not allowed for this application")
        #expect((error as? UNError)?.code == .notificationsNotAllowed)
        #expect(UNError.errorDomain == "UNErrorDomain")
        #expect(UNError(.attachmentCorrupt) == UNError(UNError.attachmentCorrupt))
        #expect(UNError(.attachmentCorrupt, userInfo: ["a": 1]) != UNError(.attachmentCorrupt))
    }

    @Test(arguments: [
        (0.0, false, "greater than 0"), (-1, true, "greater than 0"),
        (.nan, false, "greater than 0"), (.infinity, false, "greater than 0"),
        (59.9, true, "at least 60 if repeating"),
    ])
    func `a request with an interval that Apple refuses is refused`(
        seconds: Double, repeats: Bool, text: String
    ) async {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
        #expect(trigger.repeats == repeats)
        let test = TestCenter()
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request(trigger: trigger))
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(text) == true)
        #expect(test.service.inputs(of: Members.add).isEmpty)
    }

    @Test func `a trigger class that an app defines is refused`() async throws {
        // Unchecked Sendable, like its superclass.
        final class Odd: UNNotificationTrigger, @unchecked Sendable {}
        let test = TestCenter()
        let odd = try #require(Odd(coder: FakeCoder()))
        await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request(trigger: odd))
        }
    }

    @Test func `without a bus each call ends at once, with an error if it can throw`() async throws
    {
        let center = TestCenter.unreachable()
        let error = await #expect(throws: UNServiceError.self) {
            try await center.add(TestCenter.request())
        }
        #expect(error?.code == .noBus)
        #expect(error?.localizedDescription == "No session bus. Start one.")
        await #expect(throws: UNServiceError.self) { try await center.requestAuthorization() }
        #expect(await center.pendingNotificationRequests().isEmpty)
        #expect(await center.deliveredNotifications().isEmpty)
        #expect(await center.notificationCategories().isEmpty)
        let settings = await center.notificationSettings()
        #expect(settings.authorizationStatus == .notDetermined)
        #expect(settings.alertSetting == .notSupported)
    }

    @Test func `a request for permission returns the answer or throws the error`() async throws {
        let test = TestCenter()
        await test.service.script(Members.requestAuthorization) { $0.1.contains(.sound) }
        #expect(try await test.center.requestAuthorization(options: [.alert, .sound]))
        let asked = test.service.inputs(of: Members.requestAuthorization)
        #expect(asked.map(\.1) == [[.alert, .sound]])
        #expect(try await !test.center.requestAuthorization(options: [.alert]))
        let failure = NotificationError(.noServer, "Start one.")
        await test.service.fail(Members.requestAuthorization, with: failure)
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.requestAuthorization()
        }
        #expect(error?.code == .noServer)
    }

    @Test func `setBadgeCount reaches the service or throws the service's error`() async throws {
        let test = TestCenter()
        try await test.center.setBadgeCount(3)
        #expect(test.service.inputs(of: Members.setBadge).map(\.1) == [3])
        let invalid = NotificationError(.badgeInvalid, "A number from 0.")
        await test.service.fail(Members.setBadge, with: invalid)
        let negative = await #expect(throws: UNError.self) {
            try await test.center.setBadgeCount(-1)
        }
        #expect(negative?.code == .badgeInputInvalid)
        await test.service.fail(Members.setBadge, with: NotificationError(.notAllowed, "Ask."))
        let error = await withCheckedContinuation { continuation in
            test.center.setBadgeCount(1) { continuation.resume(returning: $0) }
        }
        #expect((error as? UNError)?.code == .notificationsNotAllowed)
    }

    @Test func `updating content from a provider class of the app throws an error`() {
        final class Foreign: NSObject, UNNotificationContentProviding {}
        let error = #expect(throws: UNError.self) {
            try UNNotificationContent().updating(from: Foreign())
        }
        #expect(error?.code == .contentProvidingObjectNotAllowed)
    }
}
