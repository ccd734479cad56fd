import CoreLocation
import Intents
import Testing
import UserNotifications

/// The values of Apple's surface: enumerations, option sets, constants and errors.
@Suite struct ValueTests {
    @Test func `cases have Apple's raw values`() {
        #expect([UNAlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        #expect(
            [UNAuthorizationStatus.notDetermined, .denied, .authorized, .provisional, .ephemeral]
                .map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(
            [UNNotificationInterruptionLevel.passive, .active, .timeSensitive, .critical]
                .map(\.rawValue) == [0, 1, 2, 3] as [UInt])
        #expect(
            [UNNotificationSetting.notSupported, .disabled, .enabled].map(\.rawValue) == [0, 1, 2])
        #expect(
            [UNShowPreviewsSetting.always, .whenAuthenticated, .never].map(\.rawValue) == [0, 1, 2])
    }

    @Test func `a case is made from its raw value, and an unknown raw value gives nil`() {
        #expect(UNAlertStyle(rawValue: 2) == .alert)
        #expect(UNAuthorizationStatus(rawValue: 4) == .ephemeral)
        #expect(UNNotificationInterruptionLevel(rawValue: 3) == .critical)
        #expect(UNNotificationSetting(rawValue: 2) == .enabled)
        #expect(UNShowPreviewsSetting(rawValue: 2) == .never)
        #expect(UNError.Code(rawValue: 1401) == .notificationInvalidNoContent)
        #expect(UNAlertStyle(rawValue: 3) == nil)
        #expect(UNAuthorizationStatus(rawValue: 5) == nil)
        #expect(UNError.Code(rawValue: 0) == nil)
    }

    @Test func `options have Apple's bits`() {
        let authorization: [UNAuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings,
            .provisional,
        ]
        #expect(authorization.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
        let presentation: [UNNotificationPresentationOptions] = [.badge, .sound, .list, .banner]
        #expect(presentation.map(\.rawValue) == [1, 2, 8, 16])
        let action: [UNNotificationActionOptions] = [
            .authenticationRequired, .destructive, .foreground,
        ]
        #expect(action.map(\.rawValue) == [1, 2, 4])
        let category: [UNNotificationCategoryOptions] = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle,
            .hiddenPreviewsShowSubtitle,
        ]
        #expect(category.map(\.rawValue) == [1, 2, 4, 8])
        #expect(UNAuthorizationOptions(rawValue: 7) == [.badge, .sound, .alert])
        #expect(UNNotificationPresentationOptions(rawValue: 24) == [.list, .banner])
        #expect(UNNotificationActionOptions(rawValue: 0) == [])
        #expect(UNNotificationCategoryOptions(rawValue: 12).contains(.hiddenPreviewsShowTitle))
    }

    @Test func `errors have Apple's codes and domain`() {
        let codes: [UNError.Code] = [
            UNError.notificationsNotAllowed, UNError.attachmentInvalidURL,
            UNError.attachmentUnrecognizedType, UNError.attachmentInvalidFileSize,
            UNError.attachmentNotInDataStore, UNError.attachmentMoveIntoDataStoreFailed,
            UNError.attachmentCorrupt, UNError.notificationInvalidNoDate,
            UNError.notificationInvalidNoContent, UNError.contentProvidingObjectNotAllowed,
            UNError.contentProvidingInvalid, UNError.badgeInputInvalid,
        ]
        let numbers = [1, 100, 101, 102, 103, 104, 105, 1400, 1401, 1500, 1501, 1600]
        #expect(codes.map(\.rawValue) == numbers)
        #expect(
            codes == [
                .notificationsNotAllowed, .attachmentInvalidURL, .attachmentUnrecognizedType,
                .attachmentInvalidFileSize, .attachmentNotInDataStore,
                .attachmentMoveIntoDataStoreFailed, .attachmentCorrupt, .notificationInvalidNoDate,
                .notificationInvalidNoContent, .contentProvidingObjectNotAllowed,
                .contentProvidingInvalid, .badgeInputInvalid,
            ])
        for (code, number) in zip(codes, numbers) {
            let error: any Error = UNError(code)
            #expect((error as NSError).code == number)
            #expect((error as NSError).domain == UNErrorDomain)
            #expect((error as? UNError)?.code == code)
        }
        #expect(UNError.errorDomain == "UNErrorDomain")
        let error = UNError(.badgeInputInvalid, userInfo: ["key": 1])
        #expect(error.userInfo["key"] as? Int == 1)
        #expect((error as NSError).userInfo["key"] as? Int == 1)
    }

    @Test func `constants have Apple's values`() {
        #expect(
            UNNotificationDefaultActionIdentifier
                == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(
            UNNotificationDismissActionIdentifier
                == "com.apple.UNNotificationDismissActionIdentifier")
        let keys: [AnyHashable: Any] = [
            UNNotificationAttachmentOptionsTypeHintKey: "public.png",
            UNNotificationAttachmentOptionsThumbnailHiddenKey: true,
            UNNotificationAttachmentOptionsThumbnailClippingRectKey: ["X": 0.5],
            UNNotificationAttachmentOptionsThumbnailTimeKey: 3,
        ]
        #expect(keys.count == 4)
    }

    @Test func `a sound name is made with and without the label`() {
        #expect(UNNotificationSoundName("a") == UNNotificationSoundName(rawValue: "a"))
        #expect(UNNotificationSoundName("a").rawValue == "a")
    }

    /// Apple's deprecated symbols exist and are deprecated here, too.
    @Test func `the API that Apple deprecated exists`() {
        let values: any OldSpellings = Deprecated()
        #expect(values.bits == [128, 256, 4, 16])
        #expect(values.summary == "argument 3")
        #expect(values.region == "home")
        #expect(values.caller == "Ann")
    }

    private struct Deprecated: OldSpellings {
        @available(*, deprecated)
        var bits: [UInt] {
            [
                UNAuthorizationOptions.announcement.rawValue,
                UNAuthorizationOptions.timeSensitive.rawValue,
                UNNotificationPresentationOptions.alert.rawValue,
                UNNotificationCategoryOptions.allowAnnouncement.rawValue,
            ]
        }

        @available(*, deprecated)
        var summary: String {
            let content = UNMutableNotificationContent()
            content.summaryArgument = "argument"
            content.summaryArgumentCount = 3
            let copy = content as UNNotificationContent
            return "\(copy.summaryArgument) \(copy.summaryArgumentCount)"
        }

        @available(*, deprecated)
        var region: String {
            UNLocationNotificationTrigger(triggerWithRegion: .home, repeats: false)
                .region.identifier
        }

        @available(*, deprecated)
        var caller: String? {
            let ann = INPerson(
                personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
                displayName: "Ann", image: nil, contactIdentifier: nil, customIdentifier: nil)
            let call = INStartCallIntent(
                audioRoute: .unknown, destinationType: .normal, contacts: [ann],
                recordTypeForRedialing: .unknown, callCapability: .unknown)
            return call.contacts?.first?.displayName
        }
    }
}

// Access through a protocol causes no warning about deprecated symbols.
private protocol OldSpellings {
    var bits: [UInt] { get }
    var summary: String { get }
    var region: String { get }
    var caller: String? { get }
}
