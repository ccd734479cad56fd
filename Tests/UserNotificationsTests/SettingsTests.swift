import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// Each setting says what is true: of the person's answer, of what the app asked for, of the
/// server, and of Do Not Disturb.
@Suite struct SettingsTests {
    private static let full = PresenterStatus(
        isAvailable: true, capabilities: ["actions", "sound", "persistence"])

    private static func values(
        _ status: Permission.Status, _ options: Permission.Options = .all,
        on presenter: PresenterStatus = full, showsBadge: Bool = true
    ) -> SettingsValues {
        SettingsValues(
            ApplicationSettings(
                permission: Permission(status, options: options), presenter: presenter,
                showsBadge: showsBadge))
    }

    @Test func anAllowedAppHasWhatItAskedForAndTheDesktopCanDo() {
        let all = Self.values(.authorized)
        #expect(all.authorizationStatus == .authorized)
        #expect(all.alert == .enabled && all.alertStyle == .banner)
        #expect(all.sound == .enabled && all.badge == .enabled)
        #expect(all.notificationCenter == .enabled)
        let few = Self.values(.authorized, [.alert, .providesAppNotificationSettings])
        #expect(few.sound == .notSupported && few.badge == .notSupported)
        #expect(few.providesAppNotificationSettings)
        let plain = Self.values(
            .authorized, on: PresenterStatus(isAvailable: true, capabilities: ["body"]),
            showsBadge: false)
        #expect(plain.alert == .enabled)
        #expect(plain.sound == .notSupported && plain.badge == .notSupported)
        #expect(plain.notificationCenter == .notSupported)
    }

    @Test func anAppThatNobodyWasAskedAboutHasNoSettings() {
        let values = Self.values(.notDetermined)
        #expect(values == SettingsValues())
        #expect(values.alert == .notSupported && values.alertStyle == .none)
    }

    @Test func aDeniedAppHasEverythingOff() {
        let values = Self.values(.denied)
        #expect(values.authorizationStatus == .denied)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.badge == .disabled && values.notificationCenter == .disabled)
        #expect(values.criticalAlert == .disabled && values.alertStyle == .none)
    }

    @Test func aQuietAppIsListedAndNotShown() {
        let values = Self.values(.provisional)
        #expect(values.authorizationStatus == .provisional)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.notificationCenter == .enabled && values.badge == .enabled)
    }

    @Test func doNotDisturbKeepsBannersAndSoundsOff() {
        var presenter = Self.full
        presenter.isInhibited = true
        let values = Self.values(.authorized, on: presenter)
        #expect(values.authorizationStatus == .authorized)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.criticalAlert == .enabled && values.notificationCenter == .enabled)
    }

    @Test func withoutAServerWhatIsKnownIsSaid() {
        let values = Self.values(.authorized, on: PresenterStatus(isAvailable: false))
        #expect(values.authorizationStatus == .authorized)
        #expect(values.alert == .disabled)
        #expect(values.sound == .notSupported)
    }

    @Test func theSettingsOfACenterAreThoseOfItsService() async {
        let test = TestCenter()
        await test.service.set(
            ApplicationSettings(permission: Permission(.denied), presenter: Self.full))
        #expect(await test.center.notificationSettings().authorizationStatus == .denied)
        let settings = await withCheckedContinuation { continuation in
            test.center.getNotificationSettings { continuation.resume(returning: $0) }
        }
        #expect(settings.authorizationStatus == .denied)
        #expect(settings.carPlaySetting == .notSupported)
        #expect(settings.announcementSetting == .notSupported)
        #expect(settings.scheduledDeliverySetting == .notSupported)
    }
}
