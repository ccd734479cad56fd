import CenterInterface
import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// Each setting depends on the user's answer, the options that the app requested, the server and Do
/// Not Disturb.
@Suite(.timeLimit(.minutes(2))) struct SettingsTests {
    private static let full = PresenterStatus(
        isAvailable: true, capabilities: ["actions", "sound", "persistence"])
    private static let wanted = Permission.Options.all.union(.criticalAlert)

    private static func values(
        _ status: Permission.Status, _ options: Permission.Options = wanted,
        on presenter: PresenterStatus = full, showsBadge: Bool = true
    ) -> SettingsValues {
        SettingsValues(
            ApplicationSettings(
                permission: Permission(status, options: options), presenter: presenter,
                showsBadge: showsBadge))
    }

    @Test func `an allowed app has the options that it requested and the desktop supports`() {
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

    /// An app may schedule silent notifications if its sound setting is off.
    @Test func `the sound setting is on if the centre plays the sounds in place of the server`() {
        var settings = ApplicationSettings(
            permission: Permission(.authorized, options: Self.wanted),
            presenter: PresenterStatus(isAvailable: true, capabilities: ["body"]))
        settings.playsSounds = true
        #expect(SettingsValues(settings).sound == .enabled)
        settings.presenter.isInhibited = true
        #expect(SettingsValues(settings).sound == .disabled)
        settings.permission = Permission(.authorized, options: .alert)
        #expect(SettingsValues(settings).sound == .notSupported)
    }

    @Test func `a setting that the desktop turns off is off for the app`() {
        func values(_ change: (inout AppSwitch) -> Void) -> SettingsValues {
            var desktop = AppSwitch(desktop: "GNOME", isOn: true)
            change(&desktop)
            return SettingsValues(
                ApplicationSettings(
                    permission: Permission(.authorized, options: Self.wanted),
                    presenter: Self.full, showsBadge: true, desktop: desktop))
        }
        let on = values { _ in }
        #expect(
            on == Self.values(.authorized), "a desktop without limits changes nothing")
        #expect(on.lockScreen == .notSupported && on.showPreviews == .whenAuthenticated)
        let quiet = values { $0.showsBanners = false }
        #expect(quiet.alert == .disabled && quiet.alertStyle == .none && quiet.sound == .enabled)
        #expect(values { $0.playsSounds = false }.sound == .disabled)
        #expect(values { $0.showsBadges = false }.badge == .disabled)
        #expect(values { $0.isListed = false }.notificationCenter == .disabled)
        #expect(values { $0.showsCriticalInSilence = false }.criticalAlert == .disabled)
        #expect(values { $0.isOnLockScreen = true }.lockScreen == .enabled)
        #expect(values { $0.isOnLockScreen = false }.lockScreen == .disabled)
    }

    @Test func `previews follow the setting if the app may notify`() {
        for (previews, expected) in [
            (ShowPreviews.always, UNShowPreviewsSetting.always),
            (.whenAuthenticated, .whenAuthenticated), (.never, .never),
        ] {
            var settings = ApplicationSettings(
                permission: Permission(.authorized, options: .all), presenter: Self.full)
            settings.previews = previews
            #expect(SettingsValues(settings).showPreviews == expected)
            settings.permission = Permission()
            #expect(SettingsValues(settings).showPreviews == .always, "the user was not asked yet")
        }
    }

    // An app that has not asked must see `notSupported`, like an app without Apple's entitlement.
    @Test func `only an app that asked for critical alerts has their setting`() {
        #expect(Self.values(.authorized).criticalAlert == .enabled)
        #expect(Self.values(.authorized, .criticalAlert).criticalAlert == .enabled)
        #expect(Self.values(.authorized, .all).criticalAlert == .notSupported)
        #expect(Self.values(.denied, .all).criticalAlert == .notSupported)
    }

    @Test func `the time-sensitive setting needs alerts and a known Do Not Disturb state`() {
        #expect(Self.values(.authorized).timeSensitive == .notSupported)
        for isOn in [true, false] {
            var presenter = Self.full
            presenter.isInhibited = isOn
            #expect(Self.values(.authorized, .all, on: presenter).timeSensitive == .enabled)
            #expect(Self.values(.denied, on: presenter).timeSensitive == .disabled)
            #expect(
                Self.values(.authorized, [.sound], on: presenter).timeSensitive == .notSupported)
        }
    }

    @Test func `openNotificationSettings reaches the service or throws the service's error`()
        async throws
    {
        let test = TestCenter()
        try await test.center.openNotificationSettings()
        #expect(test.service.inputs(of: Members.openNotificationSettings) == [.tocsin])
        let missing = NotificationError(.noSettings, "No page. Install one.")
        await test.service.fail(Members.openNotificationSettings, with: missing)
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.openNotificationSettings()
        }
        #expect(error?.code == .noSettings && error?.message == "No page. Install one.")
    }

    @Test func `an app has no settings before the user is asked about it`() {
        let values = Self.values(.notDetermined)
        #expect(values == SettingsValues())
        #expect(values.alert == .notSupported && values.alertStyle == .none)
    }

    @Test func `a denied app has every setting off`() {
        let values = Self.values(.denied)
        #expect(values.authorizationStatus == .denied)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.badge == .disabled && values.notificationCenter == .disabled)
        #expect(values.criticalAlert == .disabled && values.alertStyle == .none)
    }

    @Test func `a provisionally authorized app is listed, and shows no banner`() {
        let values = Self.values(.provisional)
        #expect(values.authorizationStatus == .provisional)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.notificationCenter == .enabled && values.badge == .enabled)
    }

    @Test func `Do Not Disturb keeps banners and sounds off`() {
        var presenter = Self.full
        presenter.isInhibited = true
        let values = Self.values(.authorized, on: presenter)
        #expect(values.authorizationStatus == .authorized)
        #expect(values.alert == .disabled && values.sound == .disabled)
        #expect(values.criticalAlert == .enabled && values.notificationCenter == .enabled)
    }

    @Test func `without a server the settings show the permission, and alerts are off`() {
        let values = Self.values(.authorized, on: PresenterStatus(isAvailable: false))
        #expect(values.authorizationStatus == .authorized)
        #expect(values.alert == .disabled)
        #expect(values.sound == .notSupported)
    }

    @Test func `the settings of a center are those of its service`() async {
        let test = TestCenter()
        await test.service.script(Members.settings) { _ in
            ApplicationSettings(permission: Permission(.denied), presenter: Self.full)
        }
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
