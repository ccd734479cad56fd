import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// An app's permission to know the location, and its region requests without that permission.
@Suite(.timeLimit(.minutes(2))) struct LocationPermissionTests {
    private let fixture: EngineFixture
    private let location = RecordingLocation()
    private let app = ApplicationID.tocsin
    private var key: NotificationKey { PermissionPrompt.key(of: app, about: .location) }

    init() throws {
        fixture = try EngineFixture()
    }

    /// Starts an engine and connects an app as the library does; the app may notify.
    private func start() async throws -> CenterEngine {
        let engine = try await fixture.start(location: location)
        var application = ApplicationIdentity.sample()
        application.needsPermission = true
        application.locationUsageDescription = "To tell you about the shop."
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        if try await engine.settings(of: app).permission?.allows != true {
            try await engine.decide(.allow, for: app)
        }
        return engine
    }

    private func add(to engine: CenterEngine) async throws {
        let region = NotificationRegion.around(0, 0)
        try await engine.add(
            .sample("there", .region(region, repeats: true)), attachments: [], for: app)
    }

    private func stored(_ engine: CenterEngine) async throws -> LocationPermission? {
        try await engine.settings(of: app).permission?.location
    }

    @Test(
        arguments: [
            (["de_AT.UTF-8@euro"], "Erlauben"), (["xx_XX", "fr"], "Autoriser"),
            (["en_GB.UTF-8", "de"], "Allow"), (["C.UTF-8"], "Allow"), ([], "Allow"),
            (["pt_BR.UTF-8"], "Permitir"), (["ja_JP.UTF-8"], "許可"), (["zh_CN"], "允许"),
            (["zh_HK.UTF-8"], "允許"), (["zh-Hant"], "允許"),
        ] as [([String], String)])
    func `the location question is in the user's first language that has a translation`(
        languages: [String], allow: String
    ) {
        let words = PermissionWording.inLanguage(of: languages)
        let popup = PermissionPrompt.popup(
            .sample(), about: .location, token: 1, at: Instant(microseconds: 0), in: words)
        #expect(popup.category?.actions.first?.title == allow)
        #expect(popup.notification.request.content.title == words.location("An App"))
    }

    @Test func `a region is watched when the user allows the app to know the location`()
        async throws
    {
        let engine = try await start()
        try await add(to: engine)
        let question = try await fixture.presenter.presentations.first(1)[0]
        #expect(question.notification.request.content.title.hasSuffix("use your location"))
        #expect(question.notification.request.content.body == "To tell you about the shop.")
        #expect(location.needs.all.compactMap(\.self).isEmpty)
        #expect(
            try await engine.pending(of: app).count == 1,
            "the request is kept while the question is open")
        fixture.presenter.respond(key, .custom(PermissionPrompt.allow))
        #expect(try await location.needs.first(1) == [LocationNeed(isExact: true, distance: 50)])
        #expect(try await stored(engine) == .whenInUse)
        try await add(to: engine)
        try await engine.rest()
        #expect(fixture.presenter.presentations.all.count == 1, "the user was asked once")
    }

    @Test func `the region of an app that may not know the location is kept but not watched`()
        async throws
    {
        var engine = try await start()
        try await add(to: engine)
        try await fixture.presenter.presentations.first(1)
        fixture.presenter.respond(key, .custom(PermissionPrompt.deny))
        try await engine.rest()
        await engine.stop()
        engine = try await start()
        #expect(try await stored(engine) == .denied)
        #expect(try await engine.pending(of: app).count == 1)
        #expect(location.needs.all.compactMap(\.self).isEmpty)
        #expect(try await engine.requestLocation(always: true, for: app) == .denied)
        #expect(fixture.presenter.presentations.all.count == 1)
    }

    @Test func `the user can change the answer in the settings, and a reset forgets the answer`()
        async throws
    {
        let engine = try await start()
        try await engine.decide(.denyLocation, for: app)
        try await add(to: engine)
        try await engine.decide(.allowLocation, for: app)
        #expect(try await stored(engine) == .whenInUse)
        #expect(location.needs.all == [LocationNeed(isExact: true, distance: 50)])
        #expect(try await engine.settings(of: app).permission?.status == .authorized)
        try await engine.decide(.denyLocation, for: app)
        #expect(location.needs.all.last == .some(nil))
        try await engine.decide(.reset, for: app)
        #expect(try await stored(engine) == .notDetermined)
        #expect(try await engine.settings(of: app).permission?.status == .notDetermined)
        #expect(fixture.presenter.presentations.all.isEmpty)
    }

    @Test func `a decision about one permission does not change the other permission`() async throws
    {
        let engine = try await start()
        try await engine.decide(.allowLocation, for: app)
        try await engine.decide(.deny, for: app)
        #expect(try await stored(engine) == .whenInUse)
        try await engine.decide(.allow, for: app)
        await engine.stop()
        let next = try await start()
        #expect(try await stored(next) == .whenInUse)
    }

    @Test func `an app that may know the location gets the permission 'always' without a question`()
        async throws
    {
        let engine = try await start()
        try await engine.decide(.allowLocation, for: app)
        #expect(try await engine.requestLocation(always: false, for: app) == .whenInUse)
        #expect(try await engine.requestLocation(always: true, for: app) == .always)
        #expect(try await engine.requestLocation(always: false, for: app) == .always)
        #expect(fixture.presenter.presentations.all.isEmpty)
    }

    @Test func `an app's location question and notification question can be open together`()
        async throws
    {
        let engine = try await start()
        try await engine.decide(.reset, for: app)
        async let place = engine.requestLocation(always: false, for: app)
        async let popups = engine.requestAuthorization(.alert, for: app)
        try await fixture.presenter.presentations.first(2)
        fixture.presenter.respond(key, .custom(PermissionPrompt.deny))
        #expect(try await place == .denied)
        fixture.presenter.respond(
            PermissionPrompt.key(of: app), .custom(PermissionPrompt.allow))
        #expect(try await popups)
        #expect(try await stored(engine) == .denied)
    }

    @Test func `an app that needs no permission stays allowed after a decision about the location`()
        async throws
    {
        let engine = try await fixture.start(location: location)
        try await add(to: engine)
        #expect(location.needs.all == [LocationNeed(isExact: true, distance: 50)])
        try await engine.decide(.denyLocation, for: app)
        #expect(location.needs.all.last == .some(nil))
        #expect(try await engine.settings(of: app).permission?.allows == true)
        #expect(fixture.presenter.presentations.all.isEmpty, "the user is asked no question")
    }

    @Test func `an app may not use the identifier of the location question`() async throws {
        let engine = try await start()
        await #expect(throws: NotificationError.self) {
            try await engine.add(
                .after(60, "org.tocsin.location"), attachments: [], for: app)
        }
    }
}
