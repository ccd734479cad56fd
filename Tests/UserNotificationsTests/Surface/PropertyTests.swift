import CoreLocation
import Testing
import UserNotifications

/// Every property of Apple's classes, with its type, and whether apps can set it.
///
/// The compiler checks the key path, and the test checks its kind.
@Suite struct PropertyTests {
    private func isSettable<Root, Value>(
        _ path: KeyPath<Root, Value>, _ type: Value.Type
    ) -> Bool {
        path is ReferenceWritableKeyPath<Root, Value>
    }

    @Test func `content is read-only`() {
        typealias Content = UNNotificationContent
        let settable = [
            isSettable(\Content.attachments, [UNNotificationAttachment].self),
            isSettable(\Content.badge, NSNumber?.self),
            isSettable(\Content.body, String.self),
            isSettable(\Content.categoryIdentifier, String.self),
            isSettable(\Content.filterCriteria, String?.self),
            isSettable(\Content.interruptionLevel, UNNotificationInterruptionLevel.self),
            isSettable(\Content.launchImageName, String.self),
            isSettable(\Content.relevanceScore, Double.self),
            isSettable(\Content.sound, UNNotificationSound?.self),
            isSettable(\Content.subtitle, String.self),
            isSettable(\Content.targetContentIdentifier, String?.self),
            isSettable(\Content.threadIdentifier, String.self),
            isSettable(\Content.title, String.self),
            isSettable(\Content.userInfo, [AnyHashable: Any].self),
        ]
        #expect(!settable.contains(true))
    }

    @Test func `every property of mutable content can be set`() {
        typealias Content = UNMutableNotificationContent
        let settable = [
            isSettable(\Content.attachments, [UNNotificationAttachment].self),
            isSettable(\Content.badge, NSNumber?.self),
            isSettable(\Content.body, String.self),
            isSettable(\Content.categoryIdentifier, String.self),
            isSettable(\Content.filterCriteria, String?.self),
            isSettable(\Content.interruptionLevel, UNNotificationInterruptionLevel.self),
            isSettable(\Content.launchImageName, String.self),
            isSettable(\Content.relevanceScore, Double.self),
            isSettable(\Content.sound, UNNotificationSound?.self),
            isSettable(\Content.subtitle, String.self),
            isSettable(\Content.targetContentIdentifier, String?.self),
            isSettable(\Content.threadIdentifier, String.self),
            isSettable(\Content.title, String.self),
            isSettable(\Content.userInfo, [AnyHashable: Any].self),
        ]
        #expect(!settable.contains(false))
    }

    @Test func `requests, notifications and responses are read-only, the delegate is not`() {
        let settable = [
            isSettable(\UNNotification.date, Date.self),
            isSettable(\UNNotification.request, UNNotificationRequest.self),
            isSettable(\UNNotificationRequest.content, UNNotificationContent.self),
            isSettable(\UNNotificationRequest.identifier, String.self),
            isSettable(\UNNotificationRequest.trigger, UNNotificationTrigger?.self),
            isSettable(\UNNotificationResponse.actionIdentifier, String.self),
            isSettable(\UNNotificationResponse.notification, UNNotification.self),
            isSettable(\UNTextInputNotificationResponse.userText, String.self),
            isSettable(\UNUserNotificationCenter.supportsContentExtensions, Bool.self),
        ]
        #expect(!settable.contains(true))
        #expect(
            isSettable(
                \UNUserNotificationCenter.delegate, (any UNUserNotificationCenterDelegate)?.self))
    }

    @Test func `an app's objects are read-only after they are made`() {
        let settable = [
            isSettable(\UNNotificationAction.icon, UNNotificationActionIcon?.self),
            isSettable(\UNNotificationAction.identifier, String.self),
            isSettable(\UNNotificationAction.options, UNNotificationActionOptions.self),
            isSettable(\UNNotificationAction.title, String.self),
            isSettable(\UNTextInputNotificationAction.textInputButtonTitle, String.self),
            isSettable(\UNTextInputNotificationAction.textInputPlaceholder, String.self),
            isSettable(\UNNotificationAttachment.url, URL.self),
            isSettable(\UNNotificationAttachment.identifier, String.self),
            isSettable(\UNNotificationAttachment.type, String.self),
            isSettable(\UNNotificationCategory.actions, [UNNotificationAction].self),
            isSettable(\UNNotificationCategory.categorySummaryFormat, String.self),
            isSettable(\UNNotificationCategory.hiddenPreviewsBodyPlaceholder, String.self),
            isSettable(\UNNotificationCategory.identifier, String.self),
            isSettable(\UNNotificationCategory.intentIdentifiers, [String].self),
            isSettable(\UNNotificationCategory.options, UNNotificationCategoryOptions.self),
            isSettable(\UNNotificationTrigger.repeats, Bool.self),
            isSettable(\UNPushNotificationTrigger.repeats, Bool.self),
            isSettable(\UNCalendarNotificationTrigger.dateComponents, DateComponents.self),
            isSettable(\UNTimeIntervalNotificationTrigger.timeInterval, TimeInterval.self),
            isSettable(\UNLocationNotificationTrigger.region, CLRegion.self),
        ]
        #expect(!settable.contains(true))
    }

    @Test func `settings are read-only`() {
        typealias Settings = UNNotificationSettings
        typealias Setting = UNNotificationSetting
        let settable = [
            isSettable(\Settings.alertSetting, Setting.self),
            isSettable(\Settings.alertStyle, UNAlertStyle.self),
            isSettable(\Settings.announcementSetting, Setting.self),
            isSettable(\Settings.authorizationStatus, UNAuthorizationStatus.self),
            isSettable(\Settings.badgeSetting, Setting.self),
            isSettable(\Settings.carPlaySetting, Setting.self),
            isSettable(\Settings.criticalAlertSetting, Setting.self),
            isSettable(\Settings.directMessagesSetting, Setting.self),
            isSettable(\Settings.lockScreenSetting, Setting.self),
            isSettable(\Settings.notificationCenterSetting, Setting.self),
            isSettable(\Settings.providesAppNotificationSettings, Bool.self),
            isSettable(\Settings.scheduledDeliverySetting, Setting.self),
            isSettable(\Settings.showPreviewsSetting, UNShowPreviewsSetting.self),
            isSettable(\Settings.soundSetting, Setting.self),
            isSettable(\Settings.timeSensitiveSetting, Setting.self),
        ]
        #expect(!settable.contains(true))
    }

    @Test func `the current center is a single object`() {
        #expect(UNUserNotificationCenter.current() === UNUserNotificationCenter.current())
        #expect(!UNUserNotificationCenter.current().supportsContentExtensions)
    }
}
