import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

/// If the desktop has a switch for an app, only that switch decides whether the app may notify.
@Suite(.timeLimit(.minutes(2))) struct EngineSwitchTests {
    private let fixture: EngineFixture
    private let preferences = RecordingPreferences()
    private let app = ApplicationID.tocsin
    private var question: NotificationKey { PermissionPopup.key(of: app) }

    init() throws {
        fixture = try EngineFixture()
    }

    private func started(
        connecting: Bool = true, hasDesktopEntry: Bool = true
    ) async throws -> CenterEngine {
        let engine = try await fixture.start(preferences: preferences)
        guard connecting else { return engine }
        var application = ApplicationIdentity.sample()
        application.needsPermission = true
        application.hasDesktopEntry = hasDesktopEntry
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        return engine
    }

    private func status(_ engine: CenterEngine) async throws -> Permission.Status? {
        try await engine.settings(of: app).permission?.status
    }

    @Test func `an app that is switched off in the desktop is denied without a question`()
        async throws
    {
        preferences.setSwitch(false, for: app)
        let engine = try await started()
        #expect(try await !engine.requestAuthorization(.all, for: app))
        #expect(try await status(engine) == .denied)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(.sample("a"), attachments: [], for: app)
        }
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("turned off in the settings of GNOME") == true)
        #expect(try await engine.permissions().map(\.permission?.status) == [.denied])
        #expect(fixture.presenter.presentations.all.isEmpty)
        // The user has not answered. When the switch is on again, the app may ask.
        preferences.setSwitch(true, for: app)
        #expect(try await status(engine) == .notDetermined)
    }

    @Test func `an open question is answered when the user turns the desktop's switch off`()
        async throws
    {
        let engine = try await started()
        let request = Task { try await engine.requestAuthorization(.all, for: .tocsin) }
        try await fixture.presenter.presentations.first(1)
        preferences.setSwitch(false, for: app)
        #expect(try await !request.value)
        #expect(try await fixture.presenter.withdrawn.first(1) == [question])
    }

    @Test func `the user's answer to a permission question sets the desktop's switch`() async throws
    {
        let engine = try await started()
        let request = Task { try await engine.requestAuthorization(.all, for: .tocsin) }
        try await fixture.presenter.presentations.first(1)
        fixture.presenter.respond(question, .custom(PermissionPopup.deny))
        #expect(try await !request.value)
        #expect(preferences.switchUpdates.all == ["\(app) off"])
        #expect(try await status(engine) == .denied)
    }

    @Test func `a decision sets the desktop's switch before the call returns`() async throws {
        let engine = try await started()
        for (decision, turn) in [
            (PermissionDecision.deny, "off"), (.allow, "on"), (.deny, "off"), (.reset, "on"),
        ] {
            let count = preferences.switchUpdates.all.count
            try await engine.decide(decision, for: app)
            #expect(preferences.switchUpdates.all.dropFirst(count) == ["\(app) \(turn)"])
        }
        try await engine.decide(.allow, for: app)
        #expect(preferences.switchUpdates.all.count == 4, "the switch was on, so nothing sets it")
    }

    @Test func `an app switched on in the desktop is allowed despite an earlier denial`()
        async throws
    {
        var engine = try await started()
        try await engine.decide(.deny, for: app)
        preferences.setSwitch(true, for: app)
        #expect(try await status(engine) == .authorized)
        // The engine also obeys a switch that the user turns after `stop` below.
        try await engine.decide(.deny, for: app)
        try await engine.rest()
        await engine.stop()
        preferences.setSwitch(true, for: app)
        engine = try await started()
        #expect(try await status(engine) == .authorized)
        #expect(preferences.switchUpdates.all == ["\(app) off", "\(app) off"])
    }

    @Test func `a denial from another desktop is copied to the current desktop`() async throws {
        preferences.moves(to: nil)
        var engine = try await started()
        try await engine.decide(.deny, for: app)
        #expect(preferences.switchUpdates.all.isEmpty)
        await engine.stop()
        for desktop in ["GNOME", "Plasma"] {
            preferences.moves(to: desktop)
            let count = preferences.switchUpdates.all.count
            engine = try await started()
            // The engine copies the denial without a new decision.
            let updates = try await preferences.switchUpdates.first(count + 1)
            #expect(updates.last == "\(app) off")
            // This call returns only when the switch is turned.
            try await engine.decide(.deny, for: app)
            #expect(try await status(engine) == .denied)
            #expect(await preferences.appSwitch(of: app)?.isOn == false)
            await engine.stop()
        }
    }

    @Test func `a stored denial turns the switch off when the server identifies the desktop`()
        async throws
    {
        preferences.moves(to: nil)
        var engine = try await started()
        try await engine.decide(.deny, for: app)
        await engine.stop()
        preferences.moves(to: "GNOME")
        engine = try await started(connecting: false)
        fixture.presenter.emit(.serverIdentified(isPersistent: true))
        #expect(try await preferences.switchUpdates.first(1) == ["\(app) off"])
        #expect(preferences.followed.all.contains("recording"))
    }

    @Test func `if the switch cannot be set, the decision fails but is recorded`() async throws {
        let engine = try await started()
        preferences.fails(with: NotificationError(.noSettings, "no"))
        let error = await #expect(throws: NotificationError.self) {
            try await engine.decide(.deny, for: app)
        }
        #expect(error?.code == .noSettings)
        #expect(try await status(engine) == .denied)
    }

    /// No caller waits for the earlier change, so no caller may get its error.
    @Test func `the error of an earlier change of the switch does not fail a later decision`()
        async throws
    {
        preferences.moves(to: nil)
        let engine = try await started()
        try await engine.decide(.deny, for: app)
        preferences.moves(to: "GNOME")
        preferences.fails(with: NotificationError(.noSettings, "no"))
        #expect(try await status(engine) == .denied)
        #expect(try await preferences.switchUpdates.first(1) == ["\(app) off"])
        try await engine.decide(.allow, for: app)
        #expect(try await status(engine) == .authorized)
        #expect(preferences.switchUpdates.all.count == 1, "the failed change left the switch on")
    }

    @Test func `an app without a desktop file has no switch`() async throws {
        preferences.setSwitch(false, for: app)
        let engine = try await started(hasDesktopEntry: false)
        try await engine.decide(.allow, for: app)
        #expect(try await status(engine) == .authorized)
        #expect(preferences.switchUpdates.all.isEmpty)
    }

    @Test func `the desktop's settings for sounds and badges are followed`() async throws {
        preferences.says { value in
            value.playsSounds = false
            value.showsBadges = false
        }
        let engine = try await started()
        try await engine.decide(.allow, for: app)
        var request = NotificationRequest.sample("loud")
        request.content.sound = NotificationSound(.standard)
        try await engine.add(request, attachments: [], for: app)
        let shown = try await fixture.presenter.presentations.first(1)[0]
        #expect(shown.options.isDisjoint(with: [.sound, .badge]))
        #expect(shown.options.contains(.banner))
        await #expect(throws: NotificationError.self) { try await engine.setBadge(1, of: app) }
    }

    @Test func `Do Not Disturb comes from the desktop if the server does not report it`()
        async throws
    {
        let engine = try await started()
        #expect(try await engine.status().presenter.isInhibited == nil)
        for isOn in [true, false] {
            preferences.silences(isOn)
            #expect(try await engine.status().presenter.isInhibited == isOn)
            #expect(try await engine.settings(of: app).presenter.isInhibited == isOn)
        }
        fixture.presenter.inhibits(true)
        #expect(
            try await engine.status().presenter.isInhibited == true,
            "what the server reports wins over the desktop's setting")
    }

    @Test func `only a time-sensitive popup is marked as shown during Do Not Disturb`() async throws
    {
        let engine = try await started()
        try await engine.decide(.allow, for: app)
        var shown = 0
        for (isSilent, level, isTold) in [
            (true, InterruptionLevel.timeSensitive, true), (true, .active, false),
            (false, .timeSensitive, false),
        ] {
            preferences.silences(isSilent)
            var request = NotificationRequest.sample("\(shown)")
            request.content.interruptionLevel = level
            try await engine.add(request, attachments: [], for: app)
            shown += 1
            let all = try await fixture.presenter.presentations.first(shown)
            #expect(all.last?.isInSilence == isTold)
        }
    }

    @Test func `the settings page is opened, or an error says that there is no page`() async throws
    {
        let engine = try await started()
        try await engine.openNotificationSettings(of: app)
        #expect(preferences.opened.all == [app])
        // Keep the fixture until the end, because its release removes the folder.
        let other = try EngineFixture()
        defer { withExtendedLifetime(other) {} }
        let without = try await other.start()
        let error = await #expect(throws: NotificationError.self) {
            try await without.openNotificationSettings(of: .tocsin)
        }
        #expect(error?.code == .noSettings)
    }

    /// Each opening starts a program outside of the caller's sandbox.
    @Test func `repeated calls open the settings page of an app at most once a second`()
        async throws
    {
        let engine = try await started()
        for _ in 0..<20 { try await engine.openNotificationSettings(of: app) }
        #expect(preferences.opened.all == [app])
        let other = try ApplicationID("org.example.Other")
        try await engine.openNotificationSettings(of: other)
        fixture.clock.advance(by: .milliseconds(999))
        try await engine.openNotificationSettings(of: app)
        #expect(preferences.opened.all == [app, other])
        fixture.clock.advance(by: .milliseconds(1))
        preferences.fails(with: NotificationError(.noSettings, "No page."))
        await #expect(throws: NotificationError.self) {
            try await engine.openNotificationSettings(of: app)
        }
        preferences.fails(with: nil)
        try await engine.openNotificationSettings(of: app)
        #expect(
            preferences.opened.all == [app, other, app], "a failed opening delays no other opening")
    }
}
